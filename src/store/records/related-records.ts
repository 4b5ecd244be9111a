import { fail } from '../../errors.ts'
import type { Attribute } from '../../fields/field-type.ts'
import { limits } from '../../limits.ts'
import { constant, join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Uses } from '../ground/store.ts'
import { grant, type Granted } from '../model/access.ts'
import { recordsOf, type Field } from '../model/catalogue.ts'
import { left, type ShownRecord } from '../model/record.ts'
import type { Relationship } from '../model/relationships.ts'
import { othersTurn } from '../scheduling/others-turn.ts'
import { canBeLeft, shownBytes } from './left.ts'
import { labelsAhead } from './long-keys.ts'
import { and, listUpTo, readCondition, readShown } from './read-records.ts'
import { idsOfReferring, type Linked } from './referring-records.ts'

/*
 * The records that other records are related to, one or more steps away. For each relationship there are at most three statements, however
 * many records it begins at: which ids it leads to, how many bytes these records have, the records.
 */

/** A relationship to follow, and those to follow from the records it leads to. */
export interface Step {
  readonly relationship: Relationship
  readonly next: readonly Step[]
}

/** A record of an answer, and where the relationships lead that were followed from it. */
export interface Met {
  readonly granted: Granted<'read'>
  readonly record: ShownRecord
  readonly links: Map<string, { readonly relationship: Relationship; readonly linked: Linked }>
}

export interface Related {
  /** The records that the steps begin at, in their order. */
  readonly first: readonly Met[]
  /** The others, each once; only with the attributes that are shown or followed. */
  readonly others: readonly Met[]
}

export type RelatedUses = Uses<'db' | 'context' | 'indexes' | 'positions'>

interface Walk {
  readonly store: RelatedUses
  readonly from: Granted<'read'>
  /** By table, the attributes to read of related records; absent: all. */
  readonly shown: ReadonlyMap<number, ReadonlySet<string>>
  /** By table and id. */
  readonly met: Map<number, Map<number, Met>>
  readonly others: Met[]
  bytes: number
  references: number
}

/** Identifies a relationship among those of one table. */
const keyOf = ({ field, isInverse }: Relationship): string => `${isInverse ? '-' : ''}${field.id}`

const LINKED = limits.page.most
/** Ids that are read before other requests have their turn. */
const IN_TURN = 2_000

/**
 * Follows relationships from some records. `shown`: by table, the attributes that are shown of related records; absent: all.
 * @throws `include.too_many`, `include.too_large`
 */
export async function readRelated(
  store: RelatedUses,
  granted: Granted<'read'>,
  records: readonly ShownRecord[],
  steps: readonly Step[],
  shown: ReadonlyMap<number, ReadonlySet<string>>,
): Promise<Related> {
  const first = records.map((record): Met => ({ granted, record, links: new Map() }))
  const met = new Map([[granted.table.id, new Map(first.map((one) => [one.record.id, one]))]])
  const walk: Walk = { store, from: granted, shown: withFollowed(shown, steps), met, others: [], bytes: 0, references: 0 }
  for (const step of steps) await follow(walk, first, step)
  return { first, others: walk.others }
}

/** With the fields along which further steps lead. */
function withFollowed(shown: Walk['shown'], steps: readonly Step[]): Walk['shown'] {
  const all = new Map([...shown].map(([tableId, names]) => [tableId, new Set(names)]))
  const add = ({ next }: Step): void => {
    for (const one of next) {
      const { field, isInverse } = one.relationship
      if (!isInverse) all.get(field.tableId)?.add(field.name)
      add(one)
    }
  }
  steps.forEach(add)
  return all
}

async function follow(walk: Walk, parents: readonly Met[], { relationship, next }: Step): Promise<void> {
  if (parents.length === 0) return
  const { from, store } = walk
  const target = grant('read', relationship.tableId, from.caller, from.catalogue)
  if (target.readFilter !== '') await labelsAhead(target)
  const linked = relationship.isInverse
    ? await idsOfReferring(
        store,
        target,
        relationship.field,
        parents.map(({ record }) => record.id),
        LINKED,
      )
    : await referredTo(walk, target, relationship, parents)
  const found = await meet(walk, target, [...new Set([...linked.values()].flatMap(({ ids }) => ids))])
  for (const { record, links } of parents) {
    const { ids, more } = linked.get(record.id) ?? { ids: [], more: false }
    // One that was deleted since its id was read is left out.
    links.set(keyOf(relationship), { relationship, linked: { ids: ids.filter((id) => found.has(id)), more } })
  }
  for (const one of next) await follow(walk, [...found.values()], one)
}

/** The ids in a reference field of each record: of one reference as it is, of several the first that the caller may read. */
async function referredTo(
  walk: Walk,
  target: Granted<'read'>,
  { field, isToMany }: Relationship,
  parents: readonly Met[],
): Promise<Map<number, Linked>> {
  const { store } = walk
  const records = parents.map(({ record }) => record)
  const referred = await referencesOf(store, field, records, isToMany ? (count) => countReferences(walk, count) : undefined)
  if (!isToMany) return new Map([...referred].map(([id, ids]) => [id, { ids, more: false }]))
  const exist = await readable(store, target, [...new Set([...referred.values()].flat())])
  return new Map(
    [...referred].map(([id, ids]) => {
      const some = ids.filter((one) => exist.has(one))
      return [id, { ids: some.slice(0, LINKED), more: some.length > LINKED }]
    }),
  )
}

function countReferences(walk: Walk, count: number): void {
  walk.references += count
  if (walk.references > limits.includedReferences.most) throw tooMany('references', limits.includedReferences.most)
}

/** By id of a record, the ids in its reference field. `counted` is told how many each has, before the next one is looked at. */
export async function referencesOf(
  store: RelatedUses,
  field: Field,
  records: readonly ShownRecord[],
  counted: (count: number) => void = () => {},
): Promise<ReadonlyMap<number, readonly number[]>> {
  const texts = new Map(records.map(({ id, attributes }) => [id, attributes[field.name]!]))
  const long = [...texts].flatMap(([id, text]) => (text === left ? [id] : []))
  if (long.length > 0) {
    const [rows] = await store.db.forLists.read(
      sql`SELECT id, ${name(field.column)} FROM ${name(recordsOf(field.tableId))} WHERE ${store.db.dialect.oneOf(sql`id`, long)}`,
    )
    for (const [id, text] of rows!) texts.set(Number(id), String(text))
  }
  const found = new Map<number, readonly number[]>()
  let sinceTurn = 0
  for (const [id, text] of texts) {
    const ids = typeof text === 'string' ? idsIn(store, field, text) : []
    counted(ids.length)
    found.set(id, ids)
    if ((sinceTurn += ids.length) < IN_TURN) continue
    sinceTurn = 0
    await othersTurn()
  }
  return found
}

const idsIn = (store: RelatedUses, { type, settings }: Attribute, text: string): readonly number[] =>
  type.ids!(type.parse(text, settings, store.context))

/** Those of the ids whose records the caller may read. */
export async function readable(store: RelatedUses, granted: Granted<'read'>, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const [rows] = await asked(store, granted, ids, (where) => [sql`SELECT id FROM ${name(recordsOf(granted.table.id))} WHERE ${where}`])
  return new Set(rows!.map(([id]) => Number(id)))
}

/** Of the ids in a reference field, those that its relationship shows: the first whose records the caller may read. */
export async function shownAmong(store: RelatedUses, granted: Granted<'read'>, ids: readonly number[]): Promise<Linked> {
  if (granted.readFilter !== '') await labelsAhead(granted)
  const exist = await readable(store, granted, ids)
  const some = ids.filter((one) => exist.has(one))
  return { ids: some.slice(0, LINKED), more: some.length > LINKED }
}

/** Runs statements about the records with these ids that the caller may read. */
function asked(store: RelatedUses, granted: Granted<'read'>, ids: readonly number[], statements: (where: Sql) => Sql[]) {
  const { db, indexes } = store
  const filter = readCondition(store, granted, (rule) => indexes.wanted(granted.table, rule, []))
  const queries = statements(sql`${db.dialect.oneOf(sql`id`, ids)}${and(filter)}`)
  return filter ? db.forLists.readLittle(granted.caller, ...queries) : db.forLists.read(...queries)
}

/** The records with these ids that exist for the caller; those that the answer does not have yet are read and become part of it. */
async function meet(walk: Walk, granted: Granted<'read'>, ids: readonly number[]): Promise<ReadonlyMap<number, Met>> {
  const { id: tableId } = granted.table
  let known = walk.met.get(tableId)
  if (!known) walk.met.set(tableId, (known = new Map()))
  const missing = ids.filter((id) => !known.has(id))
  if (walk.others.length + missing.length > limits.included.most) throw tooMany('records', limits.included.most)
  if (missing.length > 0)
    for (const record of await readAll(walk, granted, missing)) {
      const one: Met = { granted, record, links: new Map() }
      known.set(record.id, one)
      walk.others.push(one)
    }
  return new Map(ids.flatMap((id) => (known.has(id) ? [[id, known.get(id)!] as const] : [])))
}

/** Bytes that are counted for an attribute besides its text: its name, quotes and, where it is not a text, its value. */
const BESIDES = 32

async function readAll(walk: Walk, granted: Granted<'read'>, ids: readonly number[]): Promise<ShownRecord[]> {
  const { store } = walk
  const { dialect } = store.db
  const names = walk.shown.get(granted.table.id)
  const attributes = names ? new Map([...granted.allAttributes].filter(([one]) => names.has(one))) : granted.attributes
  const texts = [...attributes.values()].filter((one) => canBeLeft(one, 0)).map((one) => shownBytes(one, dialect))
  const each = join([constant(BESIDES * (attributes.size + 2)), ...texts], ' + ')
  const rest = limits.includedBytes.most - walk.bytes
  const records = name(recordsOf(granted.table.id))
  const [rows, measured] = await asked(store, granted, ids, (where) => {
    const size = sql`SELECT coalesce(sum(${each}), 0) FROM ${records} WHERE ${where}`
    const all = sql`SELECT ${listUpTo(attributes, dialect, Infinity)} FROM ${records} WHERE ${where} AND (${size}) <= ${rest} ORDER BY id`
    return [all, size]
  })
  const bytes = Number(measured![0]![0])
  if (bytes > rest) throw fail('include.too_large', { most: limits.includedBytes.most }, { expression: 'include' })
  walk.bytes += bytes
  return rows!.map((row) => readShown(row, attributes))
}

const tooMany = (of: string, most: number) => fail('include.too_many', { most, of }, { expression: 'include' })
