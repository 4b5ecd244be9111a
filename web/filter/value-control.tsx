import { useRef, useState } from 'react'
import { locale } from '../api/preferences.ts'
import type { Field, TitleOf } from '../fields/field.ts'
import { showStill, typeOf } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Select } from '../ui/select.tsx'
import { isDays, isWord, operatorNamed, valueType, WORDS } from './operators.ts'
import { periodsFor } from './periods.ts'
import { joined, parted, periodText, valueText } from './sentence.ts'

/** Words that are offered beside the values of a type. */
const OFFERED: Readonly<Record<string, readonly string[]>> = {
  date: ['today', 'today-7', 'today-30', 'today+7', 'month', 'year'],
  datetime: ['today', 'today-7', 'today-30', 'today+7', 'month', 'year'],
  user: ['current_user'],
  users: ['current_user'],
}

/** Types whose values are chosen from a list. */
const PICKED: ReadonlySet<string> = new Set(['list', 'multilist', 'reference', 'references', 'user', 'users', 'group'])

/** The value or values of a condition: shown, and edited by the editor of the field. */
export function ValueControl({
  field,
  operator,
  values,
  titleOf,
  isPlain = false,
  onChange,
}: {
  readonly field: Field
  readonly operator: string
  readonly values: readonly string[]
  readonly titleOf: TitleOf
  /** No words such as `today` stand for a value. */
  readonly isPlain?: boolean
  onChange(values: readonly string[]): void
}) {
  const wanted = operatorNamed(operator)
  if (wanted.values === 'none') return null
  if (wanted.values === 'days') return <Days {...{ field }} value={values[0] ?? ''} onChange={(days) => onChange([days])} />
  if (wanted.values === 'period') return <Period {...{ field }} value={values[0] ?? ''} onChange={(period) => onChange([period])} />
  if (wanted.values !== 'many')
    return (
      <>
        {Array.from({ length: wanted.values === 'two' ? 2 : 1 }, (_, i) => (
          <One
            key={i}
            {...{ field, operator, titleOf, isPlain }}
            value={values[i] ?? ''}
            isSecond={i === 1}
            onChange={(value) =>
              onChange(wanted.values === 'two' ? [i === 0 ? value : (values[0] ?? ''), i === 1 ? value : (values[1] ?? '')] : [value])
            }
          />
        ))}
      </>
    )
  const type = valueType(field, wanted)
  return (
    <One
      {...{ field, operator, titleOf, isPlain }}
      value={joined(type, values)}
      shown={valueText(field, operator, values, titleOf)}
      onChange={(value) => onChange(parted(type, value))}
    />
  )
}

function Days({ field, value, onChange }: { readonly field: Field; readonly value: string; onChange(days: string): void }) {
  const say = useWords()
  return (
    <label className="value days-value">
      <input
        className={`input num${isDays(value) ? '' : ' wrong'}`}
        type="number"
        inputMode="numeric"
        min={1}
        max={99_999}
        aria-label={`${field.title}: ${say('filterDays', { count: 2 })}`}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <span>{say('filterDays', { count: Number(value) || 2 })}</span>
    </label>
  )
}

function Period({ field, value, onChange }: { readonly field: Field; readonly value: string; onChange(period: string): void }) {
  const say = useWords()
  const offered = periodsFor(locale())
  return (
    <span className="value">
      <Select name={`${field.title}: ${say('filterPeriod')}`} value={value} onChoose={onChange}>
        {[...offered, ...(offered.includes(value) ? [] : [value])].map((period) => (
          <option key={period} value={period}>
            {periodText(period)}
          </option>
        ))}
      </Select>
    </span>
  )
}

function One({
  field,
  operator,
  value,
  shown,
  titleOf,
  isPlain,
  isSecond = false,
  onChange,
}: {
  readonly field: Field
  readonly operator: string
  readonly value: string
  readonly shown?: string
  readonly titleOf: TitleOf
  readonly isPlain: boolean
  readonly isSecond?: boolean
  onChange(value: string): void
}) {
  const say = useWords()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = (isByKey: boolean) => {
    const had = document.activeElement
    setOpen(false)
    // A person who has gone elsewhere stays there. What has the focus goes with the editor, and the dialog would give it to its first part.
    requestAnimationFrame(() => {
      if (isByKey || document.activeElement === document.body || !had?.isConnected) opener.current?.focus()
    })
  }
  const type = valueType(field, operatorNamed(operator))
  const of: Field = { ...field, type, isRequired: false, maxLength: null }
  const { Editor } = typeOf(of)
  const label = `${field.title}: ${say(isSecond ? 'filterTo' : 'filterValue')}`
  const words = isPlain || operatorNamed(operator).values === 'many' ? undefined : OFFERED[field.type]
  if (isOpen && Editor)
    return (
      <span className="value is-edited">
        <Editor
          field={of}
          value={isWord(field, value) ? '' : value}
          {...{ titleOf, label }}
          isInGrid={false}
          onCommit={(next, move) => {
            close(move !== undefined)
            onChange(String(next ?? ''))
          }}
          onCancel={() => close(true)}
        />
      </span>
    )
  const text = shown ?? (value === '' ? '' : valueText(field, operator, [value], titleOf))
  return (
    <span className="value">
      <button
        ref={opener}
        type="button"
        className="input value-open"
        aria-label={`${field.title}: ${text || say('filterChoose')}`}
        onClick={() => setOpen(true)}
      >
        <span className={value === '' ? 'quiet cut' : 'cut'}>
          {value === '' ? say('filterChoose') : (shown ?? isWord(field, value)) ? text : showStill(of, value, titleOf)}
        </span>
        {PICKED.has(type) && <Icon name="chevron-down" size="s" />}
      </button>
      {words && WORDS[field.type] && (
        <select
          className="select words"
          aria-label={`${field.title}: ${say('filterWords')}`}
          value=""
          onChange={({ target }) => target.value !== '' && onChange(target.value)}
        >
          <option value="">…</option>
          {words.map((word) => (
            <option key={word} value={word}>
              {valueText(field, operator, [word], titleOf)}
            </option>
          ))}
        </select>
      )}
    </span>
  )
}
