import { memo } from 'react'
import { locale } from '../api/preferences.ts'
import type { Field } from '../fields/field.ts'
import { Label } from '../fields/labels.tsx'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import type { Head } from './lines.ts'

/** The head of a group: what its records have in common, how many they are, and a way to fold them away. */
export const GroupRow = memo(function GroupRow({
  head: { value, label, count, isFolded },
  line,
  top,
  columns,
  of,
  onFold,
}: {
  readonly head: Head
  readonly line: number
  readonly top: number
  /** How many there are. */
  readonly columns: number
  /** The field that they are groups of. */
  readonly of: Field | undefined
  onFold(value: string): void
}) {
  const say = useWords()
  return (
    <div role="row" aria-rowindex={line + 2} className="group-head" style={{ top }}>
      <div role="gridcell" aria-colindex={1} aria-colspan={columns + 1}>
        <button type="button" aria-expanded={!isFolded} onClick={() => onFold(value)}>
          <Icon name={isFolded ? 'chevron-right' : 'chevron-down'} size="s" />
          <b className="cut">{of?.type === 'list' && value !== '' ? <Label field={of} text={label} /> : label}</b>
          <span className="quiet num">
            <span aria-hidden="true">{new Intl.NumberFormat(locale()).format(count)}</span>
            <span className="said">{say('records', { count })}</span>
          </span>
        </button>
      </div>
    </div>
  )
})
