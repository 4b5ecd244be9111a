import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { make } from '../api/administration.ts'
import { fieldsOf, tables } from '../api/queries.ts'
import { fieldOf, isSameTitle } from '../fields/field.ts'
import { typeOf } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { useUnsaved } from '../ui/leaving.ts'
import { Select } from '../ui/select.tsx'
import { TableOptions } from '../ui/table-options.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { kinds } from './kinds.ts'
import { likelyTarget } from '../fields/likely-target.ts'
import { LONGEST_NAME } from './name-form.tsx'
import { Panel } from './panel.tsx'
import { useDoing } from './use-doing.ts'

/** A field by its name and its type; whatever else it needs can be set afterwards. */
export function NewField({
  table,
  onMade,
  onClose,
}: {
  readonly table: number
  readonly onMade: (id: string) => void
  readonly onClose: () => void
}) {
  const say = useWords()
  const id = useId()
  const doing = useDoing()
  const all = useQuery(tables).data?.data ?? []
  const [name, setName] = useState('')
  const [type, setType] = useState('text')
  const [options, setOptions] = useState('')
  const [chosen, setTarget] = useState<string>()
  const isTaken = (useQuery(fieldsOf(table)).data?.data ?? []).some((one) => isSameTitle(fieldOf(one).title, name))
  const target = chosen ?? likelyTarget(name, all) ?? ''
  const settings: readonly string[] = kinds[type as keyof typeof kinds].settings
  const leave = useUnsaved(name.trim() === '' && options.trim() === '' ? undefined : JSON.stringify([name, type, options, chosen]))
  const asked = useRef<HTMLDivElement>(null)
  // What the type asks for stands below the types, which may fill the panel. Some browsers answer with a promise, which is no clean-up.
  useEffect(() => void asked.current?.scrollIntoView({ block: 'nearest' }), [type])
  const labels = options.split('\n').flatMap((line) => line.trim() || [])
  const isReady =
    name.trim() !== '' &&
    (!settings.includes('options') || labels.length > 0) &&
    (!settings.includes('reference_table_id') || target !== '')

  async function submit(event: FormEvent) {
    event.preventDefault()
    let made = ''
    const isDone = await doing.run(async () => {
      const own = {
        ...(settings.includes('options') && { options: [...new Set(labels)] }),
        ...(settings.includes('reference_table_id') && { reference_table_id: Number(target) }),
      }
      made = (await make('field', { table_id: table, field_name: name.trim(), field_type: type, ...own })).id
    })
    if (!isDone) return
    leave()
    onMade(made)
  }

  return (
    <Panel title={say('designerNew')} icon="plus" onClose={onClose}>
      <form className="admin-form new-field" onSubmit={(event) => void submit(event)}>
        {doing.is === 'refused' && <Trouble error={doing.error} />}
        <div className="admin-field">
          <label className="name" htmlFor={`${id}-name`}>
            {say('adminName')}
          </label>
          <input
            id={`${id}-name`}
            className="input"
            value={name}
            maxLength={LONGEST_NAME}
            autoFocus
            onChange={({ target: { value } }) => setName(value)}
          />
          <small className="quiet" role="status">
            {isTaken && say('fieldSameName')}
          </small>
        </div>
        <fieldset className="types">
          <legend className="name">{say('designerType')}</legend>
          {Object.entries(kinds).map(([one, kind]) => (
            <label key={one} className="type">
              <input type="radio" name={id} value={one} checked={one === type} onChange={() => setType(one)} />
              <Icon name={typeOf({ type: one }).icon} />
              <span>
                {say(kind.title)}
                <small>{say(kind.says)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <div ref={asked} className="admin-asked">
          {settings.includes('options') && (
            <label className="admin-field">
              <span className="name">{say('fieldOptions')}</span>
              <textarea
                className="input"
                rows={5}
                placeholder={say('fieldOptionLines')}
                value={options}
                onChange={({ target: { value } }) => setOptions(value)}
              />
            </label>
          )}
          {settings.includes('reference_table_id') && (
            <div className="admin-field">
              <label className="name" htmlFor={`${id}-target`}>
                {say('fieldTarget')}
              </label>
              <Select id={`${id}-target`} value={target} onChoose={setTarget}>
                {target === '' && <option value="">{say('fieldChooseTable')}</option>}
                <TableOptions tables={all} />
              </Select>
            </div>
          )}
        </div>
        <div className="row admin-end">
          <button className="button primary" disabled={!isReady || doing.is === 'saving'}>
            {say('adminMake')}
          </button>
        </div>
      </form>
    </Panel>
  )
}
