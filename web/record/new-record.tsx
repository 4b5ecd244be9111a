import { useEffect, useMemo, useRef, useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { ApiError, type Resource } from '../api/client.ts'
import { act } from '../commands/commands.ts'
import { fieldsOf, tables } from '../api/queries.ts'
import { NEW } from '../api/typed.ts'
import type { Values } from '../api/records.ts'
import { fieldOf, type Field } from '../fields/field.ts'
import { sectionsOf } from '../fields/sections.ts'
import { useTitles } from '../fields/titles.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Nowhere } from '../ui/nowhere.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { isOutside, Trouble } from '../ui/trouble.tsx'
import type { EditState } from './edited.ts'
import { FieldRow } from './field-row.tsx'
import { FieldSections } from './field-sections.tsx'
import { readWanted, type Wanted } from './link-back.ts'
import { QueuedFiles } from './queued-files.tsx'
import { useNewRecord } from './use-new-record.ts'
import './record.css'

/** A write filter does not allow a record of these values. */
function Outside() {
  const say = useWords()
  return (
    <div className="note bad" role="alert">
      <Icon name="alert" />
      <span className="grow">{say('newOutside')}</span>
    </div>
  )
}

/** Leads to the table, or to the record for which this one is made. */
function Back({ id, table, wanted }: { readonly id: string; readonly table: Resource | undefined; readonly wanted: Wanted | undefined }) {
  const say = useWords()
  const inside = (name: string) => (
    <>
      <Icon name="chevron-left" />
      <span className="cut">{name}</span>
    </>
  )
  if (wanted)
    return (
      <Link className="button" to="/t/$table/$record" params={{ table: wanted.table, record: wanted.record }}>
        {inside(say('record', { id: wanted.record }))}
      </Link>
    )
  return (
    <Link className="button" to="/t/$table" params={{ table: id }}>
      {inside(String(table?.attributes['table_name'] ?? say('backToTable')))}
    </Link>
  )
}

const hasFiles = ({ type }: Field): boolean => type === 'file' || type === 'image'

/** A record that is not there yet: Enter leads from field to field. The address may bring values: `?f12=7`. */
export function NewRecordPage() {
  const say = useWords()
  const { table: id } = useParams({ from: '/framed/t/$table/new' })
  const asked = useSearch({ from: '/framed/t/$table/new' })
  const { given, wanted } = useMemo(() => {
    const { for: text, ...values } = asked
    return { given: values as Values, wanted: readWanted(text) }
  }, [asked])
  const known = useQuery(tables)
  const table = known.data?.data.find((one) => one.id === id)
  const structure = useQuery({ ...fieldsOf(Number(id)), enabled: table !== undefined })
  // Files are written into the record when it is there.
  const mayAttach = table?.meta?.access?.['update'] === true
  const settable = (structure.data?.data ?? []).map(fieldOf).filter((field) => field.maySet && (mayAttach || !hasFiles(field)))
  // Enter leads through them as they stand on the page.
  const fields = sectionsOf(settable).flatMap((section) => section.fields.filter((field) => !hasFiles(field)))
  const record = useNewRecord(id, given, wanted)
  const { draft, made, lost, error, isSaving, isWaiting, mustChoose, files, save, setValues } = record
  const { values } = draft
  const titleOf = useTitles(undefined, fields, [values])
  const [open, setOpen] = useState<number | undefined>(0)
  const at = open === 0 ? fields[0]?.id : open

  const form = useRef<HTMLFormElement>(null)
  useEffect(
    () =>
      act(
        'new',
        {
          save() {
            // The editor that is open gives what it has first.
            if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
            requestAnimationFrame(() => form.current?.requestSubmit())
          },
        },
        1,
      ),
    [],
  )

  if ((known.data && !table) || (table && table.meta?.access?.['create'] !== true)) return <Nowhere />
  const refused = error instanceof ApiError ? error.attributes : new Map<string, string>()
  const named = [...refused.keys()].filter((name) => settable.some((field) => field.name === name))
  return (
    <>
      <Head title={say('newRecord')} />
      <form
        ref={form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void save()
        }}
        className="record-form"
      >
        <div className="tools">
          <Back {...{ id, table, wanted }} />
          <span className="grow" />
          <button type="submit" className="button primary" disabled={isSaving || mustChoose || made === '' || !structure.data}>
            {say(isSaving ? 'saving' : made === undefined ? 'save' : 'filesAgain')}
          </button>
        </div>
        <div className="page record">
          {!structure.data && <Skeleton />}
          <div>
            <h2 className="lead">{say('newRecord')}</h2>
            {wanted && <p className="quiet">{say('newLinks', { id: wanted.record })}</p>}
            {made !== undefined && !isSaving && (
              <div className="note warn" role="status">
                <Icon name="warn" />
                <span className="grow">{say(draft.isOther ? 'madeBefore' : 'madeWithout')}</span>
                {made !== '' && (
                  <Link className="button small" to="/t/$table/$record" params={{ table: id, record: made }}>
                    {say('openRecord')}
                  </Link>
                )}
              </div>
            )}
            {lost.length > 0 && (
              <div className="note warn" role="status">
                <Icon name="warn" />
                <span className="grow">{say('chooseAgain', { names: lost.map(({ name }) => name).join(', ') })}</span>
                {!mustChoose && (
                  <button type="button" className="button small" onClick={record.leaveOut}>
                    {say('leaveOut')}
                  </button>
                )}
              </div>
            )}
            {isWaiting ? (
              <div className="note warn" role="status">
                <Icon name="warn" />
                <span className="grow">
                  {say('newWaits')} {files.length > 0 && say('newWaitsFiles')}
                </span>
              </div>
            ) : (
              error !== undefined && named.length === 0 && (isOutside(error) ? <Outside /> : <Trouble error={error} />)
            )}
            <FieldSections fields={settable}>
              {(field) => {
                if (hasFiles(field)) {
                  const why = refused.get(field.name)
                  // What is sent with the record stays as it was sent.
                  const isFixed = field.isRequired && made === undefined && (isSaving || isWaiting) && !mustChoose
                  return (
                    <QueuedFiles
                      key={field.id}
                      {...{ field }}
                      files={files.filter((one) => one.field.id === field.id)}
                      mayEdit={!isSaving && !isFixed}
                      refused={why && told(why)}
                      onAdd={(given) => record.add(field, given)}
                      onDrop={isFixed ? undefined : record.drop}
                    />
                  )
                }
                const state: EditState | undefined = refused.has(field.name)
                  ? { is: 'refused', value: values[field.name], error }
                  : undefined
                return (
                  <FieldRow
                    key={field.id}
                    {...{ field, titleOf, state }}
                    record={NEW}
                    value={values[field.name]}
                    isOpen={at === field.id && !draft.isSent && made === undefined}
                    mayEdit={!draft.isSent && made === undefined}
                    onOpen={() => setOpen(field.id)}
                    isFlow
                    onClose={(isOn) => setOpen(isOn ? fields[fields.indexOf(field) + 1]?.id : undefined)}
                    onCommit={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
                    onInsist={() => setOpen(field.id)}
                    onGive={
                      field.name in values
                        ? () => setValues((before) => Object.fromEntries(Object.entries(before).filter(([name]) => name !== field.name)))
                        : undefined
                    }
                  />
                )
              }}
            </FieldSections>
          </div>
        </div>
      </form>
    </>
  )
}
