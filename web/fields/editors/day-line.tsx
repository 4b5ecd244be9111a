import { useEffect, useId, useRef, useState } from 'react'
import { locale } from '../../api/preferences.ts'
import { useWords } from '../../i18n/words.ts'
import { nowHere, readDate, writtenDate } from '../dates.ts'
import { DayButton } from './day-button.tsx'
import '../fields.css'

/** A day outside of records, such as the end of a filter: typed as people write it, or chosen. `value`: YYYY-MM-DD; undefined: none. */
export function DayLine({
  label,
  value,
  onChange,
}: {
  readonly label: string
  readonly value: string | undefined
  onChange(value: string | undefined): void
}) {
  const say = useWords()
  const id = useId()
  const line = useRef<HTMLInputElement>(null)
  const edge = useRef<HTMLSpanElement>(null)
  const isPicking = useRef(false)
  const shown = writtenDate(value ?? '', locale())
  const [text, setText] = useState(shown)
  useEffect(() => setText(shown), [shown])
  const dayIn = (written: string) => readDate(written, locale(), nowHere().slice(0, 10))
  const isWrong = text !== shown && dayIn(text) === undefined
  const commit = (written: string) => {
    const day = dayIn(written)
    if (day === undefined) return
    setText(writtenDate(day, locale()))
    if (day !== (value ?? '')) onChange(day || undefined)
  }
  return (
    <span className="day-line">
      <label className="quiet" htmlFor={id}>
        {label}
      </label>
      <span className={`input${isWrong ? ' wrong' : ''}`} ref={edge}>
        <input
          id={id}
          ref={line}
          value={text}
          autoComplete="off"
          spellCheck={false}
          placeholder={say('anyDay')}
          aria-invalid={isWrong}
          title={isWrong ? say('notADate', { example: writtenDate('2026-12-31', locale()) }) : undefined}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit(text)
            if (event.key === 'Escape' && text !== shown) {
              event.preventDefault()
              setText(shown)
            }
          }}
          onBlur={() => isPicking.current || commit(text)}
        />
        <DayButton
          {...{ line, label }}
          anchor={edge}
          value={() => dayIn(text) || undefined}
          isOpen={isPicking}
          onPick={(day) => commit(writtenDate(day, locale()))}
        />
      </span>
    </span>
  )
}
