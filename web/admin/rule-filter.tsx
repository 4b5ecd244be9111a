import { useId, useState } from 'react'
import type { Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { Select } from '../ui/select.tsx'
import { ownBy } from './rights.ts'
import { TextSetting } from './setting.tsx'

const OTHER = 'other'

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
  readonly error: string | undefined
  readonly onSave: (filter: string) => void
}) {
  const say = useWords()
  const id = useId()
  const [isTyping, setTyping] = useState(false)
  const owners = [
    [ownBy('user_id'), say('attributeUser')] as const,
    ...fields.filter(({ type }) => type === 'user').map((field) => [ownBy(field.name), field.title] as const),
  ]
  const isPlain = value === '' || owners.some(([filter]) => filter === value)
  const isOther = isTyping || !isPlain || error !== undefined
  return (
    <div className="rule-filter">
      <label className="name" htmlFor={id}>
        {title}
      </label>
      <Select
        id={id}
        value={isOther ? OTHER : value}
        onChoose={(chosen) => {
          setTyping(chosen === OTHER)
          if (chosen !== OTHER && chosen !== value) onSave(chosen)
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
      {isOther && (
        <>
          <TextSetting name={say('rightsFilter')} value={value} error={error} onSave={(filter) => onSave(filter.trim())} />
          <small className="quiet">
            {say('rightsFilterHint')} {fields.map((field) => `${field.name} ${field.title}`).join(', ')}
          </small>
        </>
      )}
      {hint !== undefined && value !== '' && <small className="quiet">{hint}</small>}
    </div>
  )
}
