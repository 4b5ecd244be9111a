import { useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useBlocker, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { fieldsOf, tables } from '../api/queries.ts'
import { changed, createRecord, type Values } from '../api/records.ts'
import { fieldOf } from '../fields/field.ts'
import { useTitles } from '../fields/titles.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Nowhere } from '../ui/nowhere.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import type { EditState } from './edited.ts'
import { FieldRow } from './field-row.tsx'
import { useLeaving } from './record-page.tsx'
import './record.css'

/** A record that is not there yet: Enter leads from field to field. The address may bring values: `?f12=7`. */
export function NewRecordPage() {
  const say = useWords()
  const navigate = useNavigate()
  const { table: id } = useParams({ from: '/framed/t/$table/new' })
  const given = useSearch({ from: '/framed/t/$table/new' }) as Values
  const known = useQuery(tables)
  const table = known.data?.data.find((one) => one.id === id)
  const structure = useQuery({ ...fieldsOf(Number(id)), enabled: table !== undefined })
  const fields = (structure.data?.data ?? []).map(fieldOf).filter(({ maySet, type }) => maySet && type !== 'file' && type !== 'image')
  const [values, setValues] = useState<Values>(given)
  const titleOf = useTitles(undefined, fields, [values])
  const [open, setOpen] = useState<number | undefined>(0)
  const [error, setError] = useState<unknown>()
  const [isSaving, setIsSaving] = useState(false)
  const isUnsaved = values !== given && !isSaving
  useLeaving(isUnsaved)
  useBlocker({ shouldBlockFn: () => isUnsaved && !window.confirm(say('leaveUnsaved')), enableBeforeUnload: false })
  const at = open === 0 ? fields[0]?.id : open

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    setIsSaving(true)
    setError(undefined)
    try {
      const { data } = await createRecord(Number(id), values)
      void changed(Number(id))
      await navigate({ to: '/t/$table/$record', params: { table: id, record: data.id }, replace: true })
    } catch (failure) {
      setIsSaving(false)
      setError(failure)
    }
  }

  if ((known.data && !table) || (table && table.meta?.access?.['create'] !== true)) return <Nowhere />
  const refused = error instanceof ApiError ? error.attributes : new Map<string, string>()
  const named = [...refused.keys()].filter((name) => fields.some((field) => field.name === name))
  return (
    <>
      <Head title={say('newRecord')} />
      <form onSubmit={(event) => void save(event)} className="record-form">
        <div className="tools">
          <Link className="button" to="/t/$table" params={{ table: id }}>
            <Icon name="chevron-left" />
            <span className="cut">{String(table?.attributes['table_name'] ?? say('backToTable'))}</span>
          </Link>
          <span className="grow" />
          <button type="submit" className="button primary" disabled={isSaving || !structure.data}>
            {say(isSaving ? 'saving' : 'save')}
          </button>
        </div>
        <div className="page record">
          {!structure.data && <Skeleton />}
          <div>
            <h2 className="lead">{say('newRecord')}</h2>
            {error !== undefined && named.length === 0 && <Trouble error={error} />}
            <dl className="fields">
              {fields.map((field, i) => {
                const state: EditState | undefined = refused.has(field.name)
                  ? { is: 'refused', value: values[field.name], error }
                  : undefined
                return (
                  <FieldRow
                    key={field.id}
                    {...{ field, titleOf, state }}
                    value={values[field.name]}
                    isOpen={at === field.id}
                    mayEdit
                    onOpen={() => setOpen(field.id)}
                    isFlow
                    onClose={(isOn) => setOpen(isOn ? fields[i + 1]?.id : undefined)}
                    onCommit={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
                    onInsist={() => setOpen(field.id)}
                    onGive={() => setValues((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== field.name)))}
                  />
                )
              })}
            </dl>
          </div>
        </div>
      </form>
    </>
  )
}
