import { useId, useState } from 'react'
import { preferences } from '../api/preferences.ts'
import type { Field } from '../fields/field.ts'
import { hueAt } from '../fields/hues.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { shifted } from './places.ts'

type Known = Field['options']
type Option = Known[number] | string
/** What is done to the options as the service has them by then: changes may follow one another faster than they are saved. */
export type EditOptions = (options: Known) => readonly Option[]

/** The options of a list. Alt with an arrow moves the one at hand. */
export function Options({
  options,
  error,
  onEdit,
}: {
  readonly options: Field['options']
  readonly error: string | undefined
  readonly onEdit: (edit: EditOptions) => void
}) {
  const say = useWords()
  const id = useId()
  const [typed, setTyped] = useState<{ readonly id: number; readonly label: string }>()
  const [added, setAdded] = useState('')
  const rename = ({ id: its, label: old }: Known[number]) => {
    if (typed?.id !== its) return
    const label = typed.label.trim()
    setTyped(undefined)
    if (label !== '' && label !== old) onEdit((all) => all.map((one) => (one.id === its ? { ...one, label } : one)))
  }
  const add = (text: string) => {
    const labels = [...new Set(text.split(/\r?\n/).flatMap((line) => line.trim() || []))]
    setAdded('')
    const isFresh = (label: string, all: Known) => !all.some((one) => one.label === label)
    if (labels.some((label) => isFresh(label, options))) onEdit((all) => [...all, ...labels.filter((label) => isFresh(label, all))])
  }
  const move = (its: number, by: -1 | 1) =>
    onEdit((all) =>
      shifted(
        all,
        all.findIndex((one) => one.id === its),
        by,
      ),
    )
  const sort = () =>
    onEdit((all) => [...all].sort((one, other) => one.label.localeCompare(other.label, preferences().language, { numeric: true })))
  return (
    <section>
      <div className="row">
        <h3 id={id} className="grow">
          {say('fieldOptions')}
        </h3>
        <button type="button" className="button small" onClick={sort}>
          <Icon name="sort" />
          {say('fieldOptionSort')}
        </button>
      </div>
      <ul className="options-box" aria-labelledby={id}>
        {options.map((option, i) => (
          <li key={option.id} className="row">
            <i className="swatch" data-hue={hueAt(i)} />
            <input
              className="input"
              dir="auto"
              aria-label={say('fieldOption', { number: i + 1 })}
              value={typed?.id === option.id ? typed.label : option.label}
              onChange={({ target }) => setTyped({ id: option.id, label: target.value })}
              onBlur={() => rename(option)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') rename(option)
                if (event.key === 'Escape' && typed) {
                  event.preventDefault()
                  setTyped(undefined)
                }
                if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
                  event.preventDefault()
                  move(option.id, event.key === 'ArrowUp' ? -1 : 1)
                }
              }}
            />
            {(
              [
                ['fieldOptionUp', 'arrow-up', -1],
                ['fieldOptionDown', 'arrow-down', 1],
              ] as const
            ).map(([message, icon, by]) => (
              <button
                key={icon}
                type="button"
                className="button square small"
                disabled={by === -1 ? i === 0 : i === options.length - 1}
                aria-label={say(message, { name: option.label })}
                onClick={() => move(option.id, by)}
              >
                <Icon name={icon} />
              </button>
            ))}
            <button
              type="button"
              className="button square small"
              aria-label={say('fieldOptionDrop', { name: option.label })}
              onClick={() => onEdit((all) => all.filter((one) => one.id !== option.id))}
            >
              <Icon name="x" />
            </button>
          </li>
        ))}
        <li className="row">
          <input
            className="input"
            aria-label={say('fieldOptionAdd')}
            placeholder={say('fieldOptionAdd')}
            value={added}
            onChange={({ target }) => setAdded(target.value)}
            onKeyDown={(event) => event.key === 'Enter' && add(added)}
            onBlur={() => add(added)}
            onPaste={(event) => {
              const text = event.clipboardData.getData('text/plain')
              if (!text.includes('\n')) return
              event.preventDefault()
              add(text)
            }}
          />
        </li>
      </ul>
      {error !== undefined && (
        <span className="admin-wrong" role="alert">
          {error}
        </span>
      )}
      <p className="quiet small">{say('fieldOptionsHint')}</p>
    </section>
  )
}
