import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { fieldsOf, record as recordQuery, tables } from '../api/queries.ts'
import { kept } from '../api/kept.ts'
import { changed, removeRecord } from '../api/records.ts'
import { ApiButton } from '../api-panel/api-button.tsx'
import { act } from '../commands/commands.ts'
import { fieldOf } from '../fields/field.ts'
import { plainText } from '../fields/plain.ts'
import { includeOf, titleFieldOf, useTitles } from '../fields/titles.ts'
import { useWords } from '../i18n/words.ts'
import { copyText } from '../ui/copy.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Nowhere } from '../ui/nowhere.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.tsx'
import { Trouble, useTrouble } from '../ui/trouble.tsx'
import { useEdits } from './edited.ts'
import { FieldRow, typedAt } from './field-row.tsx'
import { Files } from './files.tsx'
import { History } from './history.tsx'
import { Related } from './related.tsx'
import './record.css'

/** One record with all its fields, as a page. */
export function RecordPage() {
  const say = useWords()
  const trouble = useTrouble()
  const navigate = useNavigate()
  const { table: id, record } = useParams({ from: '/framed/t/$table/$record' })
  const number = Number(id)
  const known = useQuery(tables)
  const table = known.data?.data.find((one) => one.id === id)
  const structure = useQuery({ ...fieldsOf(number), enabled: table !== undefined })
  const fields = (structure.data?.data ?? []).map(fieldOf)
  const asked = recordQuery(number, record, includeOf(fields))
  const found = useQuery({ ...asked, enabled: structure.data !== undefined })
  const titleOf = useTitles(found.data, fields, found.data ? [found.data.data.attributes] : [])
  const edits = useEdits(number, record, found.data)
  const [open, setOpen] = useState<number>()
  const attributes = found.data?.data.attributes ?? {}
  const title = titleFieldOf(fields, table)
  const mayUpdate = table?.meta?.access?.['update'] === true
  const mayDelete = table?.meta?.access?.['delete'] === true
  // Where somebody was typing when the page was loaded again, they go on.
  const isKnown = structure.data !== undefined
  useEffect(() => setOpen(fields.find((field) => kept('typed', typedAt(field, record)) !== undefined)?.id), [isKnown, id, record])

  const remove = async () => {
    try {
      const back = await removeRecord(number, record)
      await navigate({ to: '/t/$table', params: { table: id } })
      void changed(number)
      toast(
        say('inTrash'),
        () =>
          void back()
            .then(() => changed(number))
            .catch((error: unknown) => toast(trouble(error))),
      )
    } catch (error) {
      toast(trouble(error))
    }
  }
  const duplicate = () =>
    void navigate({
      to: '/t/$table/new',
      params: { table: id },
      search: Object.fromEntries(
        fields.flatMap((field) => {
          const value = attributes[field.name]
          return field.maySet && !NOT_COPIED.has(field.type) && typeof value === 'string' && value !== '' ? [[field.name, value]] : []
        }),
      ) as never,
    })
  const copyLink = () => void copyText(location.href).then((isCopied) => toast(say(isCopied ? 'linkCopied' : 'linkNotCopied')))
  useEffect(
    () =>
      act('record', {
        duplicate: mayUpdate && duplicate,
        toTrash: mayDelete && (() => void remove()),
        copyLink,
        print: () => window.print(),
      }),
    [id, record, mayUpdate, mayDelete, found.data],
  )

  const failed = known.error ?? structure.error ?? found.error
  if ((known.data && !table) || (found.error instanceof ApiError && found.error.status === 404)) return <Nowhere />
  const heading = (title && plainText(title, attributes[title.name])) || say('record', { id: record })
  return (
    <>
      <Head title={found.data ? heading : say('record', { id: record })} />
      <div className="tools">
        <Link className="button" to="/t/$table" params={{ table: id }}>
          <Icon name="chevron-left" />
          <span className="cut">{String(table?.attributes['table_name'] ?? say('backToTable'))}</span>
        </Link>
        <span className="grow" />
        <button type="button" className="button square" title={say('copyLink')} aria-label={say('copyLink')} onClick={copyLink}>
          <Icon name="link" />
        </button>
        {table?.meta?.access?.['create'] === true && (
          <button type="button" className="button square" title={say('duplicate')} aria-label={say('duplicate')} onClick={duplicate}>
            <Icon name="copy" />
          </button>
        )}
        <button
          type="button"
          className="button square only-wide"
          title={say('print')}
          aria-label={say('print')}
          onClick={() => window.print()}
        >
          <Icon name="print" />
        </button>
        <ApiButton table={id} {...{ record, fields }} values={attributes} mayWrite={mayUpdate} />
        {mayDelete && (
          <button type="button" className="button square" title={say('toTrash')} aria-label={say('toTrash')} onClick={() => void remove()}>
            <Icon name="trash" />
          </button>
        )}
      </div>
      <div className="page record">
        {failed && <Trouble error={failed} again={() => void Promise.all([known.refetch(), structure.refetch(), found.refetch()])} />}
        {!failed && !found.data && <Skeleton />}
        {found.data && (
          <>
            <div>
              <h2 className="lead">{heading}</h2>
              <dl className="fields">
                {fields.map((field) =>
                  field.type === 'file' || field.type === 'image' ? (
                    <div className="field wide" key={field.id}>
                      <dt>
                        <Icon name={field.type === 'image' ? 'image' : 'clip'} size="s" />
                        <span className="cut">{field.title}</span>
                      </dt>
                      <dd>
                        <Files field={field} id={record} mayEdit={mayUpdate && field.maySet} />
                      </dd>
                    </div>
                  ) : (
                    <FieldRow
                      key={field.id}
                      {...{ field, titleOf, record }}
                      value={attributes[field.name]}
                      state={edits.states.get(field.name)}
                      isOpen={open === field.id}
                      mayEdit={mayUpdate && field.maySet}
                      onOpen={() => setOpen(field.id)}
                      onClose={() => setOpen((one) => (one === field.id ? undefined : one))}
                      onCommit={(value) => edits.save(field.name, value)}
                      onInsist={() => edits.insist(field.name)}
                      onGive={() => edits.give(field.name)}
                    />
                  ),
                )}
              </dl>
              <Related table={number} id={record} />
            </div>
            <aside aria-label={say('history')}>
              <h2 className="only-page">{say('history')}</h2>
              <History {...{ fields }} known={found.data} table={number} id={record} mayRestore={mayUpdate} />
            </aside>
          </>
        )}
      </div>
    </>
  )
}

/** Each record has its own. */
const NOT_COPIED: ReadonlySet<string> = new Set(['file', 'image', 'autonumber'])
