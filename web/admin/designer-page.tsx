import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { fieldsOf, tables } from '../api/queries.ts'
import { orderAct } from '../api/structure-acts.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Nowhere } from '../ui/nowhere.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { FieldList } from './field-list.tsx'
import { FieldPanel } from './field-panel.tsx'
import { NewField } from './new-field.tsx'
import { OnlyAdministrators } from './only-administrators.tsx'
import { inPlaces } from './places.ts'
import { Sections } from './sections.tsx'
import { UniqueNames } from './unique-names.tsx'
import { useActs } from './use-acts.ts'
import { useDoing } from './use-doing.ts'

/** The fields of one table: made, ordered, set, changed to another type, put into the trash. */
export const DesignerPage = () => (
  <OnlyAdministrators of="field">
    <Designer />
  </OnlyAdministrators>
)

function Designer() {
  const say = useWords()
  const navigate = useNavigate()
  const { table: id } = useParams({ from: '/framed/admin/tables/$table' })
  const { field: open } = useSearch({ from: '/framed/admin/tables/$table' })
  const doing = useDoing()
  const put = useActs(doing)
  const all = useQuery(tables)
  const list = useQuery({ ...fieldsOf(Number(id)), enabled: /^[1-9]\d*$/.test(id) })
  const table = all.data?.data.find((one) => one.id === id)
  if (all.data && !table) return <Nowhere />
  const name = String(table?.attributes['table_name'] ?? '')
  const fields = inPlaces(list.data?.data ?? [], 'sequence_number')
  const field = fields.find((one) => one.id === String(open))
  const show = (next: number | 'new' | undefined) =>
    void navigate({ to: '/admin/tables/$table', params: { table: id }, search: { field: next } })
  const close = () => show(undefined)
  return (
    <>
      <Head title={name}>
        <Link className="button only-wide" to="/admin/tables">
          {say('adminTables')}
        </Link>
        <Link className="button only-wide" to="/t/$table" params={{ table: id }} search={{}}>
          {say('designerOpen')}
        </Link>
        <button type="button" className="button primary" onClick={() => show('new')}>
          <Icon name="plus" />
          {say('designerNew')}
        </button>
      </Head>
      <div className="designer" data-open={open !== undefined || undefined}>
        <div className="admin">
          {doing.is === 'refused' && <Trouble error={doing.error} />}
          {list.error && !list.data ? (
            <Trouble error={list.error} again={() => void list.refetch()} />
          ) : !list.data || !table ? (
            <Skeleton />
          ) : fields.length === 0 ? (
            <section className="empty">
              <h2>{say('designerNone')}</h2>
            </section>
          ) : (
            <>
              <FieldList
                name={name}
                fields={fields}
                titleField={Number(table.attributes['title_field_id'])}
                open={field?.id}
                onOpen={(one) => show(Number(one))}
                onOrder={(ids) => void put(name, () => orderAct(id, ids), say('adminMoved', { name }))}
              />
              <Sections table={id} {...{ name, fields, put }} />
              <UniqueNames key={id} table={id} name={name} />
            </>
          )}
        </div>
        {table && open === 'new' && <NewField table={Number(id)} onMade={(made) => show(Number(made))} onClose={close} />}
        {table && field && <FieldPanel key={field.id} field={field} table={table} onClose={close} />}
      </div>
    </>
  )
}
