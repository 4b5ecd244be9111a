import { useId, useState, type FormEvent } from 'react'
import type { NewTable } from '../api/structure.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Select } from '../ui/select.tsx'
import { columnTypes } from './mapping.ts'

/** Types that need nothing more than a name. */
const plainTypes = Object.entries(columnTypes).filter(([type]) => type !== 'list' && type !== 'multilist')
const MOST = 20

/** A table by its name and its first fields. */
export function MakeTable({ isMaking, onMake }: { readonly isMaking: boolean; readonly onMake: (table: NewTable) => void }) {
  const say = useWords()
  const id = useId()
  const [name, setName] = useState('')
  const [fields, setFields] = useState<readonly { readonly name: string; readonly type: string }[]>(() => [
    { name: say('startFirstField'), type: 'text' },
    { name: '', type: 'text' },
  ])
  const put = (at: number, change: Partial<(typeof fields)[number]>) => setFields(fields.with(at, { ...fields[at]!, ...change }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const named = fields.map((field) => ({ ...field, name: field.name.trim() })).filter((field) => field.name !== '')
    onMake({ name: name.trim(), fields: named.length > 0 ? named : [{ name: say('startFirstField'), type: 'text' }] })
  }
  return (
    <section aria-label={say('startMake')}>
      <h2>{say('startMake')}</h2>
      <p>{say('startMakeLead')}</p>
      <form className="make-table" onSubmit={submit}>
        <div className="field">
          <label className="name" htmlFor={id}>
            {say('startTableName')}
          </label>
          <input
            className="input tall"
            id={id}
            value={name}
            required
            maxLength={255}
            placeholder={say('startExample')}
            onChange={({ target }) => setName(target.value)}
          />
        </div>
        {fields.map((field, i) => (
          <div className="row" key={i}>
            <input
              className="input"
              aria-label={say('startField', { number: i + 1 })}
              placeholder={say('startField', { number: i + 1 })}
              value={field.name}
              maxLength={255}
              onChange={({ target }) => put(i, { name: target.value })}
            />
            <Select name={say('startFieldType', { number: i + 1 })} value={field.type} onChoose={(type) => put(i, { type })}>
              {plainTypes.map(([type, [word]]) => (
                <option key={type} value={type}>
                  {say(word)}
                </option>
              ))}
            </Select>
          </div>
        ))}
        <div className="row">
          {fields.length < MOST && (
            <button type="button" className="button" onClick={() => setFields([...fields, { name: '', type: 'text' }])}>
              <Icon name="plus" />
              {say('startAddField')}
            </button>
          )}
          <button className="button line big push" disabled={isMaking || name.trim() === ''}>
            {say(isMaking ? 'startMaking' : 'startMakeNow')}
          </button>
        </div>
      </form>
    </section>
  )
}
