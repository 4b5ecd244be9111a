import type { Resource } from '../api/client.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { levelOf, readFields, strengthOf, type Level, type Rule } from './rights.ts'

export const levelWords = {
  none: 'levelNone',
  read: 'levelRead',
  work: 'levelWork',
  all: 'levelAll',
  mix: 'levelMix',
} as const satisfies Readonly<Record<Level, Message>>

/** Bars for how much a group may do, the word for it, and marks for what is left out. */
export function LevelMark({ rule }: { readonly rule: Resource | undefined }) {
  const say = useWords()
  const set: Rule | undefined = rule?.attributes
  const { others, named } = readFields(set?.fields)
  const isHiding = others === 'hidden' || Object.values(named).includes('hidden')
  return (
    <>
      <i className="lvl" data-of={strengthOf(set)} aria-hidden="true" />
      <span className="cut">{say(levelWords[levelOf(set)])}</span>
      {set && (set.read_filter ?? '') !== '' && (
        <span className="level-mark" title={say('rightsSome')}>
          <Icon name="filter" size="s" />
          <span className="said">, {say('rightsSome')}</span>
        </span>
      )}
      {set && isHiding && (
        <span className="level-mark" title={say('rightsHidden')}>
          <Icon name="eye-off" size="s" />
          <span className="said">, {say('rightsHidden')}</span>
        </span>
      )}
    </>
  )
}

export function Legend() {
  const say = useWords()
  return (
    <ul className="legend" aria-label={say('rightsMarks')}>
      {(['levelAll', 'levelWork', 'levelRead', 'levelNone'] as const).map((word, i) => (
        <li key={word}>
          <i className="lvl" data-of={3 - i} aria-hidden="true" />
          {say(word)}
        </li>
      ))}
      <li>
        <Icon name="filter" size="s" />
        {say('rightsSome')}
      </li>
      <li>
        <Icon name="eye-off" size="s" />
        {say('rightsHidden')}
      </li>
    </ul>
  )
}
