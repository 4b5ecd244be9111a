import { useState, type DragEvent, type KeyboardEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { copyTable, remove, takeBack } from '../api/administration.ts'
import type { Resource } from '../api/client.ts'
import { locale } from '../api/preferences.ts'
import { countOf } from '../api/queries.ts'
import { changeAct, placeAct } from '../api/structure-acts.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { toast } from '../ui/toast.tsx'
import { ActionsMenu } from './actions-menu.tsx'
import { LONGEST_NAME, NameForm } from './name-form.tsx'
import { shifted } from './places.ts'
import { useActs } from './use-acts.ts'
import type { Doing } from './use-doing.ts'

/** What puts a table elsewhere by mouse or keyboard. */
export interface Moving {
  /** Whether another is over it. */
  readonly isOver: boolean
  onKeyDown(event: KeyboardEvent): void
  onDragStart(event: DragEvent): void
  onDragEnd(): void
  onDragOver(event: DragEvent): void
  onDrop(event: DragEvent): void
}

/** A table in the list of its category. `category` 0: none. */
export function TableLine({
  table,
  at,
  inside,
  all,
  category,
  doing,
  moving,
}: {
  readonly table: Resource
  readonly at: number
  readonly inside: readonly Resource[]
  readonly all: readonly Resource[]
  readonly category: number
  readonly doing: Doing
  readonly moving: Moving
}) {
  const say = useWords()
  const [isNaming, setNaming] = useState(false)
  const [isCopying, setCopying] = useState(false)
  const count = useQuery(countOf(Number(table.id))).data?.meta?.total
  const name = String(table.attributes['table_name'])
  const ids = inside.map(({ id }) => id)
  const put = useActs(doing)
  const move = (by: -1 | 1) => void put(name, () => placeAct('table', shifted(ids, at, by)), say('adminMoved', { name }))

  async function toTrash() {
    const { records, files } = await remove('table', table.id)
    toast(say('adminWent', { name, records, files }), () => void doing.run(() => takeBack('table', table.id)))
  }

  if (isNaming)
    return (
      <li>
        <NameForm
          label={say('adminNameOf', { name })}
          initial={name}
          action={say('adminRename')}
          onName={(next) => {
            setNaming(false)
            void put(next, () => changeAct('table', table.id, { table_name: next }))
          }}
          onCancel={() => setNaming(false)}
        />
      </li>
    )
  if (isCopying)
    return (
      <li>
        <CopyForm
          name={name}
          count={count}
          onCopy={(next, what) => {
            setCopying(false)
            void doing.run(async () => {
              await copyTable(table.id, next, what)
              toast(say('adminCopied', { name: next }))
            })
          }}
          onCancel={() => setCopying(false)}
        />
      </li>
    )
  const { isOver, onKeyDown, ...drag } = moving
  return (
    <li className={`row${isOver ? ' is-over' : ''}`} draggable {...drag}>
      <span className="grip only-wide" aria-hidden="true">
        <Icon name="grip" size="s" />
      </span>
      <Link
        className="admin-open row grow"
        to="/admin/tables/$table"
        params={{ table: table.id }}
        search={{}}
        draggable={false}
        data-table={table.id}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
        onKeyDown={onKeyDown}
      >
        <Icon name="grid" />
        <span className="cut grow">{name}</span>
        <span className="num quiet">{count === undefined ? '' : new Intl.NumberFormat(locale()).format(count)}</span>
      </Link>
      <ActionsMenu
        title={say('adminMoreOf', { name })}
        actions={[
          { title: say('adminRename'), icon: 'edit', run: () => setNaming(true) },
          { title: say('adminCopy'), icon: 'copy', run: () => setCopying(true) },
          ...(at > 0 ? [{ title: say('adminMoveUp'), icon: 'arrow-up', run: () => move(-1) }] : []),
          ...(at < inside.length - 1 ? [{ title: say('adminMoveDown'), icon: 'arrow-down', run: () => move(1) }] : []),
          ...[...all.map((one) => [Number(one.id), String(one.attributes['category_name'])] as const), [0, say('otherTables')] as const]
            .filter(([id]) => id !== category)
            .map(([id, title]) => ({
              title: say('adminMoveTo', { name: title }),
              icon: 'folder',
              run: () => void put(name, () => changeAct('table', table.id, { category_id: id }), say('adminMoved', { name })),
            })),
          { title: say('toTrash'), icon: 'trash', isBad: true as const, run: () => void doing.run(toTrash) },
        ]}
      />
    </li>
  )
}

/** Asks for the name of the copy, and what comes along besides fields and rules. */
function CopyForm({
  name,
  count,
  onCopy,
  onCancel,
}: {
  readonly name: string
  readonly count: number | undefined
  onCopy(name: string, what: { readonly records: boolean; readonly views: boolean }): void
  onCancel(): void
}) {
  const say = useWords()
  const [records, setRecords] = useState(false)
  const [views, setViews] = useState(true)
  return (
    <NameForm
      label={say('adminCopyName')}
      initial={say('groupCopyOf', { name }).slice(0, LONGEST_NAME)}
      action={say('adminCopyMake')}
      onName={(next) => onCopy(next, { records, views })}
      onCancel={onCancel}
    >
      <label className="admin-tick">
        <input type="checkbox" className="tick" checked={records} onChange={({ target }) => setRecords(target.checked)} />
        <span>{say('adminCopyRecords', { count: count ?? 0 })}</span>
      </label>
      <label className="admin-tick">
        <input type="checkbox" className="tick" checked={views} onChange={({ target }) => setViews(target.checked)} />
        <span>{say('adminCopyViews')}</span>
      </label>
    </NameForm>
  )
}
