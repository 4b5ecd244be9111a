import { useEffect, useId, useState } from 'react'
import type { Field } from '../fields/field.ts'
import { FilterBuilder } from '../filter/filter-builder.tsx'
import { useWords } from '../i18n/words.ts'
import { useUnsaved } from '../ui/leaving.ts'
import { Select } from '../ui/select.tsx'
import { ownBy } from './rights.ts'

const OTHER = 'other'

/** What the address says of the rule that is open. */
const OF_RULE = ['group', 'table', 'ask']

/** Which records a right is about: all, one's own by a field for people, or those that a filter selects. */
export function RuleFilter({
  title,
  hint,
  fields,
  value,
  error,
  onSave,
}: {
  readonly title: string
  readonly hint?: string
  readonly fields: readonly Field[]
  readonly value: string
  /** Why the service refuses what was wanted last. */
  readonly error: unknown
  readonly onSave: (filter: string) => void
}) {
  const say = useWords()
  const id = useId()
  const [isBuilding, setBuilding] = useState(false)
  const owners = [
    [ownBy('user_id'), say('attributeUser')] as const,
    ...fields.filter(({ type }) => type === 'user').map((field) => [ownBy(field.name), field.title] as const),
  ]
  const isPlain = value === '' || owners.some(([filter]) => filter === value)
  const isOther = isBuilding || !isPlain || error !== undefined
  return (
    <div className="rule-filter" role="group" aria-label={title}>
      <label className="name" htmlFor={id}>
        {title}
      </label>
      <Select
        id={id}
        value={isOther ? OTHER : value}
        onChoose={(chosen) => {
          setBuilding(chosen === OTHER)
          if (chosen !== OTHER) onSave(chosen)
        }}
      >
        <option value="">{say('rightsAllRecords')}</option>
        {owners.map(([filter, field]) => (
          <option key={filter} value={filter}>
            {say('rightsOwn', { field })}
          </option>
        ))}
        <option value={OTHER}>{say('rightsByFilter')}</option>
      </Select>
      {isOther && <Built {...{ fields, value, error, onSave }} />}
      {hint !== undefined && value !== '' && <small className="quiet">{hint}</small>}
    </div>
  )
}

/** Built condition by condition, and saved as a whole: half a filter would give the wrong records away. */
function Built({
  fields,
  value,
  error,
  onSave,
}: {
  readonly fields: readonly Field[]
  readonly value: string
  readonly error: unknown
  readonly onSave: (filter: string) => void
}) {
  const say = useWords()
  const [wanted, setWanted] = useState(value)
  const [version, setVersion] = useState(0)
  const leave = useUnsaved(wanted === value ? undefined : wanted, error, OF_RULE)
  // What the service has is drawn anew, such as after the toast has taken a change back; what it refuses stays there to be put right.
  useEffect(() => {
    if (error !== undefined || value === wanted) return
    setWanted(value)
    setVersion(version + 1)
  }, [value])
  return (
    <form
      className="rule-built"
      onSubmit={(event) => {
        event.preventDefault()
        leave()
        onSave(wanted)
      }}
    >
      <FilterBuilder
        key={`${version} ${error === undefined}`}
        {...{ fields, error }}
        value={wanted === '' ? undefined : wanted}
        onChange={(next) => setWanted(next ?? '')}
      />
      <div className="row">
        <button type="submit" className="button line" disabled={wanted === value && error === undefined}>
          {say('rightsUseFilter')}
        </button>
      </div>
    </form>
  )
}
