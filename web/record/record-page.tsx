import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { fieldsOf, record as recordQuery, tables } from '../api/queries.ts'
import { Head } from '../ui/head.tsx'
import { fieldOf, showValue } from '../fields/show.tsx'
import { useWords } from '../i18n/words.ts'
import { includeOf, useTitles } from '../fields/titles.ts'
import { Icon } from '../ui/icon.tsx'
import { Nowhere } from '../ui/nowhere.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'

/** One record with all its fields, as a page. */
export function RecordPage() {
  const say = useWords()
  const { table: id, record } = useParams({ from: '/framed/t/$table/$record' })
  const known = useQuery(tables)
  const table = known.data?.data.find((one) => one.id === id)
  const structure = useQuery({ ...fieldsOf(Number(id)), enabled: table !== undefined })
  const fields = (structure.data?.data ?? []).map(fieldOf)
  const found = useQuery({ ...recordQuery(Number(id), record, includeOf(fields)), enabled: structure.data !== undefined })
  const titleOf = useTitles(found.data)
  const attributes = found.data?.data.attributes ?? {}
  const title = fields.find((field) => field.id === table?.attributes['title_field_id'])
  const failed = known.error ?? structure.error ?? found.error
  const isNowhere = (known.data && !table) || (found.error instanceof ApiError && found.error.status === 404)
  if (isNowhere) return <Nowhere />
  const heading = (title && attributes[title.name]) || say('record', { id: record })
  return (
    <>
      <Head title={found.data ? String(heading) : say('record', { id: record })} />
      <div className="tools">
        <Link className="button" to="/t/$table" params={{ table: id }}>
          <Icon name="chevron-left" />
          <span>{String(table?.attributes['table_name'] ?? say('backToTable'))}</span>
        </Link>
      </div>
      <div className="page">
        {failed && <Trouble error={failed} again={() => void Promise.all([known.refetch(), structure.refetch(), found.refetch()])} />}
        {!failed && !found.data && <Skeleton />}
        {found.data && (
          <dl className="pairs">
            {fields.map((field) => (
              <div className="pair" key={field.id}>
                <dt>{field.title}</dt>
                <dd>{showValue(field, attributes[field.name], titleOf) ?? '–'}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </>
  )
}
