import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { make } from '../api/administration.ts'
import type { Resource } from '../api/client.ts'
import { categories, tables } from '../api/queries.ts'
import { changeAct, dissolveAct, placeAct } from '../api/structure-acts.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { ActionsMenu } from './actions-menu.tsx'
import { NameForm } from './name-form.tsx'
import { OnlyAdministrators } from './only-administrators.tsx'
import { inPlaces, shifted } from './places.ts'
import { TableLine } from './table-line.tsx'
import { useActs } from './use-acts.ts'
import { useDoing } from './use-doing.ts'
import { useMoving } from './use-moving.ts'

/** All tables by their categories: made, named, moved, ordered, put into the trash. */
export const TablesPage = () => (
  <OnlyAdministrators of="table">
    <Tables />
  </OnlyAdministrators>
)

function Tables() {
  const say = useWords()
  const navigate = useNavigate()
  const doing = useDoing()
  const all = useQuery(tables)
  const known = useQuery(categories)
  const [asks, setAsks] = useState<'table' | 'category'>()
  const ordered = inPlaces(known.data?.data ?? [], 'sequence_number')
  const isKnown = (id: number) => ordered.some((one) => Number(one.id) === id)
  const tablesIn = (category: number) =>
    inPlaces(
      (all.data?.data ?? []).filter(({ attributes }) => {
        const its = Number(attributes['category_id'])
        return category === 0 ? !isKnown(its) : its === category
      }),
      'category_sequence_number',
    )
  const sections = [...ordered.map((one) => ({ id: Number(one.id), category: one })), { id: 0, category: undefined }]

  const uncategorised = ordered.length > 0 ? 'otherTables' : 'tables'
  const shelves = sections.map(({ id, category }) => ({
    id,
    title: category ? String(category.attributes['category_name']) : say(uncategorised),
    tables: tablesIn(id),
  }))
  const moving = useMoving(shelves, doing)

  async function makeTable(name: string) {
    let id = ''
    const isDone = await doing.run(async () => (id = (await make('table', { table_name: name })).id))
    if (isDone) await navigate({ to: '/admin/tables/$table', params: { table: id }, search: { field: 'new' } })
  }

  return (
    <>
      <Head title={say('adminTables')}>
        <button type="button" className="button only-wide" onClick={() => setAsks('category')}>
          <Icon name="folder" />
          {say('adminNewCategory')}
        </button>
        <button type="button" className="button primary" aria-label={say('adminNewTable')} onClick={() => setAsks('table')}>
          <Icon name="plus" />
          <span className="only-wide">{say('adminNewTable')}</span>
        </button>
      </Head>
      <div className="admin">
        {doing.is === 'refused' && <Trouble error={doing.error} />}
        {asks === 'table' && (
          <NameForm
            label={say('startTableName')}
            action={say('adminMake')}
            onName={(name) => void makeTable(name)}
            onCancel={() => setAsks(undefined)}
          />
        )}
        {asks === 'category' && (
          <NameForm
            label={say('adminNewCategory')}
            action={say('adminMake')}
            onName={(name) => {
              setAsks(undefined)
              void doing.run(() => make('category', { category_name: name, sequence_number: ordered.length + 1 }))
            }}
            onCancel={() => setAsks(undefined)}
          />
        )}
        {all.error && !all.data ? (
          <Trouble error={all.error} again={() => void all.refetch()} />
        ) : !all.data || !known.data ? (
          <Skeleton />
        ) : (
          sections.map(({ id, category }, at) => {
            const shelf = shelves[at]!
            const inside = shelf.tables
            if (!category && inside.length === 0 && ordered.length > 0) return null
            return (
              <section key={id} className="shelf" aria-label={shelf.title} {...moving.ofShelf(shelf)}>
                {category ? <CategoryHead category={category} at={at} all={ordered} doing={doing} /> : <h2>{say(uncategorised)}</h2>}
                {inside.length === 0 ? (
                  <p className="quiet admin-none">{say('adminNoTables')}</p>
                ) : (
                  <ul className="admin-tables">
                    {inside.map((table, i) => (
                      <TableLine
                        key={table.id}
                        table={table}
                        at={i}
                        inside={inside}
                        all={ordered}
                        category={id}
                        doing={doing}
                        moving={moving.ofTable(table.id, shelf)}
                      />
                    ))}
                  </ul>
                )}
              </section>
            )
          })
        )}
        <span className="said" role="status">
          {moving.said}
        </span>
        <button type="button" className="button line only-phone" onClick={() => setAsks('category')}>
          <Icon name="folder" />
          {say('adminNewCategory')}
        </button>
      </div>
    </>
  )
}

function CategoryHead({
  category,
  at,
  all,
  doing,
}: {
  readonly category: Resource
  readonly at: number
  readonly all: readonly Resource[]
  readonly doing: ReturnType<typeof useDoing>
}) {
  const say = useWords()
  const [isNaming, setNaming] = useState(false)
  const name = String(category.attributes['category_name'])
  const ids = all.map(({ id }) => id)
  const put = useActs(doing)
  const move = (by: -1 | 1) => void put(name, () => placeAct('category', shifted(ids, at, by)), say('adminMoved', { name }))
  if (isNaming)
    return (
      <NameForm
        label={say('adminNameOf', { name })}
        initial={name}
        action={say('adminRename')}
        onName={(next) => {
          setNaming(false)
          void put(next, () => changeAct('category', category.id, { category_name: next }))
        }}
        onCancel={() => setNaming(false)}
      />
    )
  return (
    <div className="row">
      <h2 className="cut">{name}</h2>
      <ActionsMenu
        title={say('adminMoreOf', { name })}
        actions={[
          { title: say('adminRename'), icon: 'edit', run: () => setNaming(true) },
          ...(at > 0 ? [{ title: say('adminMoveUp'), icon: 'arrow-up', run: () => move(-1) }] : []),
          ...(at < all.length - 1 ? [{ title: say('adminMoveDown'), icon: 'arrow-down', run: () => move(1) }] : []),
          {
            title: say('adminDissolve'),
            icon: 'trash',
            isBad: true,
            run: () => void put(name, () => dissolveAct(category), say('adminDissolved', { name })),
          },
        ]}
      />
    </div>
  )
}
