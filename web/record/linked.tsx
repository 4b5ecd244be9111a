import { useState, type ReactNode } from 'react'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { fieldsOf, records, tables } from '../api/queries.ts'
import { fieldOf, type Field, type TitleOf } from '../fields/field.ts'
import { idsIn, idsOf } from '../fields/ids.ts'
import { mayRead } from '../fields/readable.ts'
import { includeOf, titleFieldOf, useTitles } from '../fields/titles.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import type { List } from './field-row.tsx'
import { writeWanted } from './link-back.ts'
import { MiniTable, miniColumns } from './mini-table.tsx'
import { useFollowingTable } from './use-following.ts'

/** Records shown at first. */
const SHOWN = 5
/** Records of a request. */
const PAGE = 50

/** How a field of several references to what the person may read is shown in a row; undefined for all others. */
export const linkedIn = (field: Field, record: string, titleOf: TitleOf, mayUnlink: boolean): List | undefined => {
  const { target } = field
  if (field.type !== 'references' || target === null || !mayRead(target)) return undefined
  return (value, button, commit) => {
    const unlink = (id: string) => commit(idsOf(idsIn(String(value ?? '')).filter((one) => one !== id)))
    return (
      <Linked {...{ field, record, target, value, titleOf }} unlink={mayUnlink ? unlink : undefined}>
        {button}
      </Linked>
    )
  }
}

/** The records that a field of several references names, as a small table. */
function Linked({
  field,
  record,
  target,
  value,
  titleOf,
  unlink,
  children,
}: {
  readonly field: Field
  /** That of the field. */
  readonly record: string
  readonly target: number
  /** As the service takes it. */
  readonly value: unknown
  /** Of the record itself: names stand there before the rest of the records has come. */
  readonly titleOf: TitleOf
  /** Takes one out. Undefined: the person may not. */
  readonly unlink: ((id: string) => void) | undefined
  /** What adds others. */
  readonly children: ReactNode
}) {
  const say = useWords()
  const [isAll, setAll] = useState(false)
  const table = useQuery(tables).data?.data.find(({ id }) => id === String(target))
  const structure = useQuery(fieldsOf(target))
  const fields = (structure.data?.data ?? []).map(fieldOf)
  const ids = idsIn(String(value ?? ''))
  const shown = isAll ? ids : ids.slice(0, SHOWN)
  const parts = Array.from({ length: Math.ceil(shown.length / PAGE) }, (_, i) => shown.slice(i * PAGE, (i + 1) * PAGE))
  const answers = useQueries({
    queries: parts.map((some) => ({
      ...records({ table: target, offset: 0, limit: PAGE, filter: `in(id,${some.join()})`, include: includeOf(fields) }),
      enabled: structure.data !== undefined,
      placeholderData: keepPreviousData,
    })),
  })
  const found = answers.flatMap(({ data }) => (data ? [data] : []))
  const isRead = answers.every(({ data, isPlaceholderData }) => data && !isPlaceholderData)
  const known = new Map(found.flatMap(({ data }) => data).map((one) => [one.id, one]))
  const all = { data: [...known.values()], included: found.flatMap(({ included = [] }) => included) }
  const others = useTitles(all, fields)
  useFollowingTable(target)
  // A field that must be filled in keeps one.
  const mayUnlink = unlink !== undefined && !(field.isRequired && ids.length === 1)
  return (
    <div className="linked">
      {ids.length > 0 && (
        <MiniTable
          table={String(target)}
          shown={miniColumns(fields, titleFieldOf(fields, table))}
          lines={shown.map((id) => ({
            id,
            record: known.get(id),
            isUnseen: isRead && !known.has(id),
            ...(mayUnlink && { unlink: () => unlink(id) }),
          }))}
          titleOf={(of, id) => others(of, id) ?? titleOf(of, id)}
          mayUnlink={mayUnlink}
        />
      )}
      <div className="row">
        {children}
        {unlink && table?.meta?.access?.['create'] === true && (
          <Link
            className="button small"
            to="/t/$table/new"
            params={{ table: String(target) }}
            search={{ for: writeWanted({ table: String(field.table), record, field: field.name }) } as never}
            aria-label={say('addIn', { name: field.title })}
          >
            <Icon name="plus" />
            <span>{say('add')}</span>
          </Link>
        )}
        {shown.length < ids.length && (
          <button type="button" className="text-link" onClick={() => setAll(true)}>
            {say('showAll', { count: ids.length })}
          </button>
        )}
      </div>
    </div>
  )
}
