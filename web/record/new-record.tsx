import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useBlocker, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { act } from '../commands/commands.ts'
import { fieldsOf, tables } from '../api/queries.ts'
import { keep, kept } from '../api/kept.ts'
import { newKey } from '../api/keys.ts'
import { useOutbox } from '../api/outbox.ts'
import { changed, createRecord, type Values } from '../api/records.ts'
import { didCreate } from '../api/undo.ts'
import { fieldOf, type Field } from '../fields/field.ts'
import { sectionsOf } from '../fields/sections.ts'
import { useTitles } from '../fields/titles.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { useLeaving } from '../ui/leaving.ts'
import { Nowhere } from '../ui/nowhere.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import type { EditState } from './edited.ts'
import { FieldRow } from './field-row.tsx'
import { FieldSections } from './field-sections.tsx'
import { QueuedFiles } from './queued-files.tsx'
import { useQueuedFiles } from './use-queued-files.ts'
import './record.css'

/** Milliseconds until a record is sent once more. */
const AGAIN = 1000

interface Draft {
  readonly values: Values
  /** Of the request that makes the record (Idempotency-Key). */
  readonly key: string
  /** Whether that has been sent, and not been refused. */
  readonly isSent: boolean
}

const hasFiles = ({ type }: Field): boolean => type === 'file' || type === 'image'

/** A record that is not there yet: Enter leads from field to field. The address may bring values: `?f12=7`. */
export function NewRecordPage() {
  const say = useWords()
  const navigate = useNavigate()
  const { table: id } = useParams({ from: '/framed/t/$table/new' })
  const given = useSearch({ from: '/framed/t/$table/new' }) as Values
  const known = useQuery(tables)
  const table = known.data?.data.find((one) => one.id === id)
  const structure = useQuery({ ...fieldsOf(Number(id)), enabled: table !== undefined })
  // Files are written into the record when it is there.
  const mayAttach = table?.meta?.access?.['update'] === true
  const settable = (structure.data?.data ?? []).map(fieldOf).filter((field) => field.maySet && (mayAttach || !hasFiles(field)))
  // Enter leads through them as they stand on the page.
  const fields = sectionsOf(settable).flatMap((section) => section.fields.filter((field) => !hasFiles(field)))
  const queue = useQueuedFiles()
  const place = `${id} ${JSON.stringify(given)}`
  const [draft, setDraft] = useState<Draft>(() => kept<Draft>('new', place) ?? { values: given, key: newKey(), isSent: false })
  const { values } = draft
  const setValues = (next: (before: Values) => Values) => setDraft((before) => ({ ...before, values: next(before.values) }))
  const titleOf = useTitles(undefined, fields, [values])
  const [open, setOpen] = useState<number | undefined>(0)
  const [error, setError] = useState<unknown>()
  const [isSaving, setIsSaving] = useState(false)
  /** The record, where it has been made and some of its files have not come. */
  const [made, setMade] = useState<string>()
  const isDraft = draft.values !== given && !isSaving && made === undefined
  const isUnsaved = isDraft || (queue.files.length > 0 && !isSaving)
  useEffect(() => {
    if (isDraft) keep('new', place, draft)
  }, [isDraft, place, draft])
  useLeaving(isUnsaved)
  useBlocker({
    shouldBlockFn: ({ next }) => {
      // A session that has ended: the way leads back here.
      if (next.pathname === '/sign-in' && 'ended' in next.search) return false
      if (isUnsaved && !window.confirm(say('leaveUnsaved'))) return true
      keep('new', place, undefined)
      return false
    },
    enableBeforeUnload: false,
  })
  const at = open === 0 ? fields[0]?.id : open

  async function save(): Promise<void> {
    setIsSaving(true)
    setError(undefined)
    if (made !== undefined) return attach(made)
    const sent = { ...draft, isSent: true }
    keep('new', place, sent)
    try {
      const { data } = await createRecord(Number(id), values, draft.key)
      keep('new', place, undefined)
      didCreate(Number(id), data.id)
      void changed(Number(id))
      setMade(data.id)
      await attach(data.id)
    } catch (failure) {
      const isAway = failure instanceof ApiError && (failure.status === 0 || failure.status >= 502)
      // What was refused made no record: what is sent next is another request.
      setDraft(isAway ? sent : { ...draft, key: newKey(), isSent: false })
      setIsSaving(false)
      setError(failure)
    }
  }
  /** Its files, and then its page: where some have not come, the form stays, to send them again. */
  async function attach(record: string): Promise<void> {
    const hadFiles = queue.files.length > 0
    const isAll = await queue.send(record)
    if (hadFiles) void changed(Number(id))
    if (isAll) return navigate({ to: '/t/$table/$record', params: { table: id, record }, replace: true })
    setIsSaving(false)
  }
  // It may have been made though nobody heard of it: until that is known, the same is sent again, and nothing else.
  const { isAway } = useOutbox()
  const isWaiting = draft.isSent && !isSaving && made === undefined
  useEffect(() => {
    if (!isWaiting || isAway) return
    const timer = setTimeout(() => void save(), AGAIN)
    return () => clearTimeout(timer)
  }, [isWaiting, isAway, error])

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
          <Link className="button" to="/t/$table" params={{ table: id }}>
            <Icon name="chevron-left" />
            <span className="cut">{String(table?.attributes['table_name'] ?? say('backToTable'))}</span>
          </Link>
          <span className="grow" />
          <button type="submit" className="button primary" disabled={isSaving || !structure.data}>
            {say(isSaving ? 'saving' : made === undefined ? 'save' : 'filesAgain')}
          </button>
        </div>
        <div className="page record">
          {!structure.data && <Skeleton />}
          <div>
            <h2 className="lead">{say('newRecord')}</h2>
            {made !== undefined && !isSaving && (
              <div className="note warn" role="status">
                <Icon name="warn" />
                <span className="grow">{say('madeWithout')}</span>
                <Link className="button small" to="/t/$table/$record" params={{ table: id, record: made }}>
                  {say('openRecord')}
                </Link>
              </div>
            )}
            {isWaiting ? (
              <div className="note warn" role="status">
                <Icon name="warn" />
                <span className="grow">{say('newWaits')}</span>
              </div>
            ) : (
              error !== undefined && named.length === 0 && <Trouble error={error} />
            )}
            <FieldSections fields={settable}>
              {(field) => {
                if (hasFiles(field)) {
                  const why = refused.get(field.name)
                  return (
                    <QueuedFiles
                      key={field.id}
                      {...{ field }}
                      files={queue.files.filter((one) => one.field.id === field.id)}
                      mayEdit={!isSaving}
                      refused={why && told(why)}
                      onAdd={(files) => queue.add(field, files)}
                      onDrop={queue.drop}
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
                    record="new"
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
