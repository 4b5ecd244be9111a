import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import type { Pending } from './pasting.ts'

/** What a paste would do, before it is done: values that do not fit, and records that it would make. */
export function PendingNote({ pending, onDecide }: { readonly pending: Pending; onDecide(isWanted: boolean): void }) {
  const say = useWords()
  const { puts, added, wrong, named, left = 0 } = pending
  const isAnything = puts.length + added.length > 0
  return (
    <div className="note warn paste-note" role="alert">
      <Icon name="warn" />
      <span className="grow">
        {wrong > 0 && (
          <>
            {say('pasteWrong', { count: wrong })}
            <ul>
              {named.map((one) => (
                <li key={`${one.row} ${one.column}`}>{say('pasteWrongAt', { ...one })}</li>
              ))}
              {wrong > named.length && <li>{say('pasteWrongMore', { count: wrong - named.length })}</li>}
            </ul>
          </>
        )}
        {added.length > 0 && say('pasteAdds', { count: added.length })} {left > 0 && `${say('leftOut', { count: left })}.`}
      </span>
      {isAnything && (
        <button type="button" className="button small line" autoFocus onClick={() => onDecide(true)}>
          {say(wrong > 0 ? 'writeRest' : 'paste')}
        </button>
      )}
      <button type="button" className="button small" onClick={() => onDecide(false)}>
        {say('writeNone')}
      </button>
    </div>
  )
}
