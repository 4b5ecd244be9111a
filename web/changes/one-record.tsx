import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { changesWith, type BatchResource } from '../api/batches.ts'
import { allFields } from '../api/queries.ts'
import { fieldOf, type Field, type TitleOf } from '../fields/field.ts'
import { plainText } from '../fields/plain.ts'
import { useTitles } from '../fields/titles.ts'
import { showStill } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** What a batch did to the one record that it changed. */
export interface OneChange {
  readonly table: string
  readonly record: string
  readonly title: string | undefined
  readonly moves: readonly { readonly field: Field; readonly from: unknown; readonly to: unknown }[]
  readonly titleOf: TitleOf
}

type Moves = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>

/** By the id of a batch that changed one record, what it did: its first change, which has the same id. */
export function useOneChanges(batches: readonly BatchResource[]): ReadonlyMap<string, OneChange> {
  const ids = batches.filter(({ attributes: { records } }) => records === 1).map(({ id }) => id)
  const changes = useQuery({ ...changesWith(ids), enabled: ids.length > 0 })
  const fields = (useQuery(allFields).data?.data ?? []).map(fieldOf)
  const found = (changes.data?.data ?? []).map(({ id, attributes }) => ({
    id,
    table: Number(attributes['table_id']),
    record: String(attributes['record_id']),
    // What came or went is told by its title alone.
    moves: attributes['action'] === 'update' ? ((attributes['changes'] ?? {}) as Moves) : {},
  }))
  const own = found.map(({ table, record }) => ({ [nameOf(table)]: record }))
  const held = found.flatMap(({ moves }) =>
    (['from', 'to'] as const).map((side) => Object.fromEntries(Object.entries(moves).map(([name, move]) => [name, move[side]]))),
  )
  const touched = fields.filter(({ name }) => found.some(({ moves }) => name in moves))
  const records = [...new Set(found.map(({ table }) => table))].flatMap((table) => recordsAs(table, fields))
  const titleOf = useTitles(undefined, [...records, ...touched], [...own, ...held])
  return new Map(
    found.map(({ id, table, record, moves }) => [
      id,
      {
        table: String(table),
        record,
        title: titleOf(table, record),
        moves: touched.flatMap((field) => (moves[field.name] ? [{ field, ...moves[field.name]! }] : [])),
        titleOf,
      },
    ]),
  )
}

const nameOf = (table: number) => `of ${table}`

/** The records of a table as values of a field that refers to it, so that they have their titles. */
const recordsAs = (table: number, fields: readonly Field[]): readonly Field[] =>
  fields.slice(0, 1).map((field) => ({ ...field, name: nameOf(table), type: 'reference', target: table }))

/** Fields that are shown of a change. */
const MOST = 3

export function OneRecord({ one: { table, record, title } }: { readonly one: OneChange }) {
  const say = useWords()
  return (
    <Link className="ref cut" to="/t/$table/$record" params={{ table, record }}>
      {title ?? say('record', { id: record })}
    </Link>
  )
}

/** What its fields held before, and hold since. */
export function OneMoves({ one: { moves, titleOf } }: { readonly one: OneChange }) {
  const say = useWords()
  return (
    <>
      {moves.slice(0, MOST).map(({ field, from, to }) => (
        <div className="change-move" key={field.id}>
          <span className="quiet">{field.title}</span>
          <del title={plainText(field, from)}>
            <span className="said">{say('before')} </span>
            {showStill(field, from, titleOf) ?? say('empty')}
          </del>
          <Icon name="chevron-right" size="s" />
          <ins title={plainText(field, to)}>{showStill(field, to, titleOf) ?? say('empty')}</ins>
        </div>
      ))}
      {moves.length > MOST && <span className="quiet">{say('changesLeftMore', { count: moves.length - MOST })}</span>}
    </>
  )
}
