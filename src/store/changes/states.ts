import { fail } from '../../errors.ts'
import type { Attribute, Stored } from '../../fields/field-type.ts'
import type { Comparable } from '../../filter/predicate.ts'
import { join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { HeldFile } from '../ground/changes.ts'
import type { Row } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import type { Asker } from '../model/asker.ts'
import { recordsOf, trashOf, type Table } from '../model/catalogue.ts'
import { filesIn, filesOf } from '../records/images.ts'
import { foldAhead, keyOf } from '../records/long-keys.ts'
import type { Content, Entry, Side } from './content.ts'
import { END, laterChanges, type Asked, type Later } from './later-changes.ts'

/*
 * What records held right before and right after changes of the log, found backwards from the present: a column held after change k what
 * the first later change of the record that names the column has as its `before` side; where there is none, what the record holds now.
 */

/** A change of the log with all that it holds. */
export interface LoggedChange {
  readonly id: number
  readonly recordId: number
  readonly action: string
  readonly content: Content
}

/** The state of a record before and after a change; undefined: it was not there (it was in the trash, or not made yet), or is erased. */
export interface States {
  readonly before: State | undefined
  readonly after: State | undefined
}

/** What a record held at one moment, in the columns that were asked for. */
export class State implements Comparable {
  readonly #recordId: number
  readonly #sides: ReadonlyMap<string, Known>
  readonly #keys: ReadonlyMap<string, string>

  constructor(recordId: number, sides: ReadonlyMap<string, Known>, keys: ReadonlyMap<string, string>) {
    this.#recordId = recordId
    this.#sides = sides
    this.#keys = keys
  }

  /** What the column held then, with the files of a file field; null: nothing, or the column was not there yet. */
  side(column: string): Side {
    return this.#known(column).held
  }

  /** For filters: before a column had its first values by a conversion, a record counts as if it had its first value already. */
  value({ column, type }: Attribute): Stored {
    if (column === 'id') return this.#recordId
    return storedOf(this.#known(column).compared) ?? type.empty
  }

  key(attribute: Attribute): string {
    return keyOf(attribute, this.value(attribute), this.#keys)!
  }

  /** @throws an Error if the column was not asked for: a part of a record must not be tested. */
  #known(column: string): Known {
    const known = this.#sides.get(column)
    if (!known) throw new Error(`The state of the record was read without ${column}.`)
    return known
  }
}

interface Known {
  readonly held: Side
  readonly compared: Side
}

/** Values read at once, at most, where they may be long. */
const LONG_AT_ONCE = 4

/**
 * The states around changes of one table, by the id of the change. `attributes`: whose columns are read, those of former types too.
 * Reads the later changes of these records (their content only where it names such a column), then the records: three statements
 * for all changes; where attributes may be long, for every few changes, the last ones first. Changes whose record was erased meanwhile have
 * no states.
 */
export async function statesOf(
  store: Uses<'db'>,
  by: Asker,
  table: Table,
  changes: readonly LoggedChange[],
  attributes: readonly Attribute[],
): Promise<ReadonlyMap<number, States>> {
  const read = attributes.filter(({ column }) => column !== 'id')
  const size = statesAtOnce(read, changes.length)
  const states = new Map<number, States>()
  const chains = inChains(changes)
  const before = new Map<number, Sides>()
  for (let end = chains.length; end > 0; end -= size)
    for (const [id, found] of await readStates(store, by, table, chains.slice(Math.max(0, end - size), end), read, before))
      states.set(id, found)
  return states
}

/** Of how many changes, out of some, states are read at once: values may be long. */
export function statesAtOnce(attributes: readonly Attribute[], count: number): number {
  const areLong = attributes.some(({ type }) => typeof type.empty === 'string' && type.longest === undefined && type.kind !== 'time')
  return areLong ? LONG_AT_ONCE : Math.max(1, count)
}

/** What a record held, by column. */
type Sides = ReadonlyMap<string, Known>

/** How often records that are not there yet are looked for, and the milliseconds in between. */
const TRIES = 20
const PAUSE = 50

/**
 * Where records are on other servers than the log, one may not be there yet although its changes are: those servers commit later; one
 * that was lost in the middle of a commit, when it is back. @throws `server.unavailable` where that takes long
 */
async function readStates(store: Uses<'db'>, ...given: Given): Promise<ReadonlyMap<number, States>> {
  const [by, , changes, , before] = given
  for (let tries = TRIES; ; tries--) {
    const { states, firsts } = await readOnce(store, ...given)
    const read = () => {
      for (const [record, first] of firsts) before.set(record, first)
      return states
    }
    const without = changes.filter(({ id, change }) => change.action !== 'erase' && !states.has(id)).map(({ id }) => id)
    if (!store.db.dialect.keysApart || without.length === 0) return read()
    // Of a record that was erased meanwhile, the other changes are gone too.
    const [kept] = await store.db.readLittle(by, sql`SELECT count(*) FROM changes WHERE ${store.db.dialect.oneOf(sql`id`, without)}`)
    if (Number(kept![0]![0]) === 0) return read()
    if (tries === 0) throw fail('server.unavailable', { why: 'A server of the cluster does not have all that was committed.' })
    await new Promise((next) => setTimeout(next, PAUSE))
  }
}

/** `before`: by record, what it held before the next change whose states are known; later changes are looked at up to there. */
type Given = readonly [by: Asker, table: Table, asked: readonly InChain[], attributes: readonly Attribute[], before: Map<number, Sides>]

async function readOnce(
  store: Uses<'db'>,
  ...[by, table, asked, attributes, before]: Given
): Promise<{ readonly states: ReadonlyMap<number, States>; readonly firsts: ReadonlyMap<number, Sides> }> {
  const { dialect } = store.db
  const changes = asked.map(({ change }) => change)
  const present = attributes.filter((one) => isPresent(table, one))
  const ids = [...new Set(changes.map(({ recordId }) => recordId))]
  const later = laterChanges(store, by, table, asked, attributes)
  const queries = [presentOf(dialect, table, ids, present), later.query]
  if (present.some(({ type }) => type.files)) queries.push(filesOf(dialect, table.id, ids))
  const [rows, found, files = []] = await store.db.readLittle(by, ...queries)
  const filesNow = filesIn(files)
  const records = new Map(
    rows!.map((row) => {
      const [id, ...stored] = row
      const filesOfRecord = filesNow.get(Number(id))
      return [
        Number(id),
        new Map(present.map(({ name: key, column }, i) => [column, presentSide(stored[i] as Stored, filesOfRecord?.get(key))])),
      ]
    }),
  )
  const next = await later.read(found!)
  const known = new Map(changes.map(({ id, content }) => [id, content]))
  const named = [...next.values()].flat().flatMap(({ naming, converting }) => [naming ?? [], converting ?? []].flat())
  const missing = [...new Set(named)].filter((id) => !known.has(id))
  for (const [id, content] of await contentsOf(store, by, missing, attributes)) known.set(id, content)
  const states = new Map<number, States>()
  const firsts = new Map<number, Sides>()
  const keys = new Map<string, string>()
  for (const { change } of asked.toReversed()) {
    const { id, recordId, action, content } = change
    const record = records.get(recordId)
    if (!record) continue
    const held = new Map(
      attributes.map((one, i) => [
        one.column,
        afterwards(one, next.get(id)?.[i], known, firsts.get(recordId) ?? before.get(recordId), record),
      ]),
    )
    const sides = (side: 0 | 1) => new Map([...held].map(([column, later]) => [column, at(content[column], side, action, later)]))
    const [first, last] = [sides(0), sides(1)]
    firsts.set(recordId, first)
    for (const one of attributes)
      for (const state of [first, last]) await foldAhead(keys, one.type, storedOf(state.get(one.column)!.compared) ?? '')
    states.set(id, {
      before: begins(action) ? undefined : new State(recordId, first, keys),
      after: ends(action) ? undefined : new State(recordId, last, keys),
    })
  }
  return { states, firsts }
}

const begins = (action: string): boolean => action === 'create' || action === 'restore'
const ends = (action: string): boolean => action === 'delete' || action === 'erase'

const storedOf = (side: Side): Stored | undefined => (side === null ? undefined : typeof side === 'object' ? side.value : side)

/** What a column held at one side of a change. */
function at(entry: Entry | undefined, side: 0 | 1, action: string, later: Known): Known {
  if (!entry) return later
  const held = entry[side]
  return { held, compared: side === 0 && held === null && action === 'convert' ? entry[1] : held }
}

/** What a column held after a change. `before`: the state before the next change of the record that was asked for. */
function afterwards(
  { column }: Attribute,
  { naming, converting }: Partial<Later> | undefined = {},
  contents: ReadonlyMap<number, Content>,
  before: ReadonlyMap<string, Known> | undefined,
  record: ReadonlyMap<string, Side>,
): Known {
  const entry = naming === undefined ? undefined : contents.get(naming)?.[column]
  const same = before?.get(column)
  const held = naming !== undefined ? (entry?.[0] ?? null) : same ? same.held : (record.get(column) ?? null)
  const [given, first] = (converting !== undefined && contents.get(converting)?.[column]) || []
  if (given === null) return { held, compared: first ?? null }
  return { held, compared: !entry && same ? same.compared : held }
}

const presentSide = (stored: Stored, files: readonly HeldFile[] | undefined): Side =>
  files ? { files, value: String(stored) } : typeof stored === 'bigint' ? String(stored) : stored

interface InChain extends Asked {
  readonly change: LoggedChange
}

/** In the order of the log. */
function inChains(changes: readonly LoggedChange[]): readonly InChain[] {
  const next = new Map<number, number>()
  return changes
    .toSorted((one, other) => other.id - one.id)
    .map((change) => {
      const { id, recordId } = change
      const upTo = next.get(recordId) ?? END
      next.set(recordId, id)
      return { id, recordId, change, upTo }
    })
    .toReversed()
}

const isPresent = ({ attributes }: Table, { name: key, column }: Attribute): boolean => attributes.get(key)?.column === column

function presentOf(dialect: Dialect, { id }: Table, records: readonly number[], attributes: readonly Attribute[]): Sql {
  const columns = attributes.map(({ column, type }) => (type.exact ? dialect.integerText(name(column)) : name(column)))
  return join(
    [recordsOf(id), trashOf(id)].map(
      (twin) => sql`SELECT ${join([sql`id`, ...columns], ', ')} FROM ${name(twin)} WHERE ${dialect.oneOf(sql`id`, records)}`,
    ),
    ' UNION ALL ',
  )
}

/** What changes hold of these attributes. */
async function contentsOf(
  store: Uses<'db'>,
  by: Asker,
  ids: readonly number[],
  attributes: readonly Attribute[],
): Promise<ReadonlyMap<number, Content>> {
  if (ids.length === 0) return new Map()
  const { dialect } = store.db
  const members = attributes.map(({ column }) => dialect.memberOf(sql`content`, column))
  const [rows] = await store.db.readLittle(
    by,
    sql`SELECT ${join([sql`id`, ...members], ', ')} FROM changes WHERE ${dialect.oneOf(sql`id`, ids)}`,
  )
  return new Map(rows!.map((row) => [Number(row[0]), contentOf(row, attributes)]))
}

const contentOf = (row: Row, attributes: readonly Attribute[]): Content =>
  Object.fromEntries(
    attributes.flatMap(({ column }, i) => {
      const entry = row[i + 1]
      return entry === null ? [] : [[column, JSON.parse(String(entry)) as Entry]]
    }),
  )
