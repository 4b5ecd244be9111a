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
import { fieldOf } from '../fields/field.ts'
import { sectionsOf } from '../fields/sections.ts'
import { useTitles } from '../fields/titles.ts'
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

/** A record that is not there yet: Enter leads from field to field. The address may bring values: `?f12=7`. */
export function NewRecordPage() {
  const say = useWords()
  const navigate = useNavigate()
  const { table: id } = useParams({ from: '/framed/t/$table/new' })
  const given = useSearch({ from: '/framed/t/$table/new' }) as Values
  const known = useQuery(tables)
  const table = known.data?.data.find((one) => one.id === id)
  const structure = useQuery({ ...fieldsOf(Number(id)), enabled: table !== undefined })
  const settable = (structure.data?.data ?? []).map(fieldOf).filter(({ maySet, type }) => maySet && type !== 'file' && type !== 'image')
  // Enter leads through them as they stand on the page.
  const fields = sectionsOf(settable).flatMap((section) => section.fields)
  const place = `${id} ${JSON.stringify(given)}`
  const [draft, setDraft] = useState<Draft>(() => kept<Draft>('new', place) ?? { values: given, key: newKey(), isSent: false })
  const { values } = draft
  const setValues = (next: (before: Values) => Values) => setDraft((before) => ({ ...before, values: next(before.values) }))
  const titleOf = useTitles(undefined, fields, [values])
  const [open, setOpen] = useState<number | undefined>(0)
  const [error, setError] = useState<unknown>()
  const [isSaving, setIsSaving] = useState(false)
  const isUnsaved = draft.values !== given && !isSaving
  useEffect(() => {
    if (isUnsaved) keep('new', place, draft)
  }, [isUnsaved, place, draft])
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
    const sent = { ...draft, isSent: true }
    keep('new', place, sent)
    try {
      const { data } = await createRecord(Number(id), values, draft.key)
      keep('new', place, undefined)
      didCreate(Number(id), data.id)
      void changed(Number(id))
      await navigate({ to: '/t/$table/$record', params: { table: id, record: data.id }, replace: true })
    } catch (failure) {
      const isAway = failure instanceof ApiError && (failure.status === 0 || failure.status >= 502)
      // What was refused made no record: what is sent next is another request.
      setDraft(isAway ? sent : { ...draft, key: newKey(), isSent: false })
      setIsSaving(false)
      setError(failure)
    }
  }
  // It may have been made though nobody heard of it: until that is known, the same is sent again, and nothing else.
  const { isAway } = useOutbox()
  const isWaiting = draft.isSent && !isSaving
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
  const named = [...refused.keys()].filter((name) => fields.some((field) => field.name === name))
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
            {say(isSaving ? 'saving' : 'save')}
          </button>
        </div>
        <div className="page record">
          {!structure.data && <Skeleton />}
          <div>
            <h2 className="lead">{say('newRecord')}</h2>
            {isWaiting ? (
              <div className="note warn" role="status">
                <Icon name="warn" />
                <span className="grow">{say('newWaits')}</span>
              </div>
            ) : (
              error !== undefined && named.length === 0 && <Trouble error={error} />
            )}
            <FieldSections fields={fields}>
              {(field) => {
                const state: EditState | undefined = refused.has(field.name)
                  ? { is: 'refused', value: values[field.name], error }
                  : undefined
                return (
                  <FieldRow
                    key={field.id}
                    {...{ field, titleOf, state }}
                    record="new"
                    value={values[field.name]}
                    isOpen={at === field.id && !draft.isSent}
                    mayEdit={!draft.isSent}
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
