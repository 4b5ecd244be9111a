import { useId, useRef, useState, type ReactNode } from 'react'
import { useUnsaved } from '../ui/leaving.ts'

/** A line of text that is saved when it is left, or with Enter. Escape leaves it as it was. */
export function TextSetting({
  name,
  value,
  error,
  isNumber,
  hint,
  offered,
  read = (typed) => typed,
  onSave,
}: {
  readonly name: string
  readonly value: string
  readonly error?: string | undefined
  readonly isNumber?: boolean
  readonly hint?: string
  /** What it may be among others. */
  readonly offered?: readonly string[]
  /** What is meant by what was typed. */
  readonly read?: (typed: string) => string
  /** What it returns is waited for; false: it was not saved. */
  readonly onSave: (value: string) => unknown
}) {
  const id = useId()
  const [typed, setTyped] = useState<string>()
  const tried = useRef<string>(undefined)
  const sent = useRef<{ readonly text: string }>(undefined)
  const leave = useUnsaved(typed === undefined || typed === value ? undefined : typed, error)
  const save = () => {
    const next = typed === undefined ? value : read(typed)
    if (next === sent.current?.text) return
    if (!sent.current && next === value) return setTyped(undefined)
    // What was refused is sent once more.
    if (error === undefined || tried.current !== next) leave(next)
    tried.current = next
    setTyped(next)
    const mine = (sent.current = { text: next })
    const end = (isSaved: unknown) => {
      if (sent.current !== mine) return
      sent.current = undefined
      if (isSaved === false) leave(null)
      else setTyped((now) => (now === next ? undefined : now))
    }
    // The value that was saved is there in the next task.
    const later = (isSaved: unknown) => void setTimeout(end, 0, isSaved)
    void Promise.resolve(onSave(next)).then(later, () => later(false))
  }
  // What was refused stays to be mended; what is saved is what the service shows.
  const shown = typed !== undefined && (error !== undefined || typed !== value) ? typed : value
  return (
    <label className="admin-field">
      <span className="name">{name}</span>
      <input
        className={`input${error === undefined ? '' : ' wrong'}`}
        value={shown}
        inputMode={isNumber ? 'numeric' : undefined}
        aria-invalid={error !== undefined}
        aria-describedby={error !== undefined ? id : hint !== undefined ? `${id}-hint` : undefined}
        list={offered?.length ? `${id}-offered` : undefined}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save()
          if (event.key === 'Escape' && typed !== undefined) {
            event.preventDefault()
            setTyped(undefined)
          }
        }}
      />
      {offered !== undefined && offered.length > 0 && (
        <datalist id={`${id}-offered`}>
          {offered.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {hint !== undefined && (
        <small className="quiet" id={`${id}-hint`}>
          {hint}
        </small>
      )}
      {error !== undefined && (
        <span className="admin-wrong" id={id} role="alert">
          {error}
        </span>
      )}
    </label>
  )
}

/** Yes or no, saved at once. */
export function TickSetting({
  name,
  hint,
  value,
  error,
  onSave,
}: {
  readonly name: string
  readonly hint: string
  readonly value: boolean
  readonly error?: ReactNode
  readonly onSave: (value: boolean) => void
}) {
  return (
    <label className="admin-tick">
      <input type="checkbox" className="tick" checked={value} onChange={({ target }) => onSave(target.checked)} />
      <span>
        {name}
        <small>{hint}</small>
        {error && (
          <span className="admin-wrong" role="alert">
            {error}
          </span>
        )}
      </span>
    </label>
  )
}
