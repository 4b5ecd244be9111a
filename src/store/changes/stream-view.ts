import type { Attribute } from '../../fields/field-type.ts'
import { isEmpty } from '../../fields/value.ts'
import { fail, Failure } from '../../errors.ts'
import type { Condition } from '../../filter/check.ts'
import { predicate, type Predicate } from '../../filter/predicate.ts'
import { limits } from '../../limits.ts'
import type { Uses } from '../ground/store.ts'
import { rightsOn, view, type Caller, type View } from '../model/access.ts'
import type { Asker } from '../model/asker.ts'
import { labelsAhead } from '../records/long-keys.ts'
import { ruleOf } from '../records/read-records.ts'
import { othersTurn } from '../scheduling/others-turn.ts'
import type { Content } from './content.ts'
import { withoutOrigin } from './hidden-origin.ts'
import { columnsOf, showChanges, textOf, type Change, type Shown } from './list-changes.ts'
import { statesAtOnce, statesOf, type LoggedChange, type State, type States } from './states.ts'

/*
 * The log as a caller sees it who follows it (page[after], events, webhooks): by today's rights, a record is there while it meets the read
 * filter of their group. So a change by which it came into the filter is shown as `create`, one by which it left as `delete`, and
 * changes of a record outside are not shown.
 */

type Used = Uses<'db' | 'catalogue' | 'context'>
type Attributes = ReadonlyMap<string, Attribute>

/** Changes of the log in their order, with the whole contents that the log has. What is read for one caller serves all. */
export interface LogBatch {
  readonly rows: readonly Change[]
  /** The states around the changes of one table, or around some. */
  states(tableId: number, attributes: readonly Attribute[], some?: readonly Change[]): Promise<ReadonlyMap<number, States>>
}

/** `by`: who waits for the states. */
export function logBatch(store: Used, by: Asker, rows: readonly Change[]): LogBatch {
  const known = new Map<string, Promise<ReadonlyMap<number, States>>>()
  return {
    rows,
    states(tableId, attributes, some = rows.filter((row) => row.tableId === tableId)) {
      const key = [tableId, ...some.map(({ id }) => id), ...attributes.map(({ column }) => column)].join(' ')
      let states = known.get(key)
      if (!states) {
        const table = store.catalogue().tables.get(tableId)
        states = table ? statesOf(store, by, table, some.map(loggedOf), attributes) : Promise.resolve(new Map())
        known.set(key, states)
      }
      return states
    },
  }
}

const loggedOf = ({ id, recordId, action, changes }: Change): LoggedChange => ({
  id,
  recordId,
  action,
  content: changes as unknown as Content,
})

/** Further conditions, by table: for the caller only records that meet them are there. */
export type Narrowing = ReadonlyMap<number, Condition>

export interface Bounds {
  /** Code units of the values of records that came and went, at most. */
  readonly length?: number | undefined
  /** Is told how many code units of long texts filters have looked through for a change. What it throws ends the work. */
  spend?(units: number): void
  /** Is told of changes whose texts take a filter too long: they are not shown then. Without it, that fails. */
  passBy?: ((change: Change) => void) | undefined
}

/**
 * What the caller sees of each change of a batch; undefined: nothing. Of fewer changes where the texts of records that came and went are
 * longer than a page may be. @throws `server.query_timeout` where a filter looks through very long texts, without `passBy`
 */
export async function seenBy(
  store: Used,
  caller: Caller,
  batch: LogBatch,
  narrowing: Narrowing = new Map(),
  { length: most = limits.changesInPage.most, spend = () => {}, passBy }: Bounds = {},
): Promise<readonly (Change | undefined)[]> {
  const catalogue = store.catalogue()
  const crossings = new Map<number, Crossing>()
  const views = new Map<number, View>()
  for (const id of new Set(batch.rows.map(({ tableId }) => tableId))) {
    if (!mayFollow(store, caller, id)) continue
    const table = catalogue.tables.get(id)
    if (!table) continue
    views.set(id, view(table, caller, catalogue))
    for (const [change, crossing] of await crossingsOf(store, views.get(id)!, batch, narrowing.get(id), { spend, passBy }))
      crossings.set(change, crossing)
  }
  const inside = batch.rows.filter(({ id, tableId }) => mayFollow(store, caller, tableId) && (crossings.get(id) ?? 'inside') === 'inside')
  const shown = new Map((await showChanges(store, caller, inside)).map((change) => [change.id, change]))
  const crossed = statesAcross(store, batch, views, crossings)
  const seen: (Change | undefined)[] = []
  const shownTo = withoutOrigin(store, caller)
  let length = 0
  for (const row of batch.rows) {
    const crossing = crossings.get(row.id)
    if (crossing === 'came' || crossing === 'left') {
      const change = await crossed(row, crossing)
      length += lengthOf(change.changes)
      if (length > most && seen.length > 0) break
      seen.push(shownTo(change))
    } else {
      const change = shown.get(row.id)
      seen.push(change && isToShow(change) ? shownTo(change) : undefined)
    }
  }
  return seen
}

/** Whether the caller may see any changes of a table; 0: those of structure, rights and users. */
export const mayFollow = (store: Uses<'catalogue'>, caller: Caller, tableId: number): boolean =>
  tableId === 0 ? caller.administrator : rightsOn(tableId, caller, store.catalogue()).has('read')

/** A change of values that are all hidden is not shown. */
const isToShow = (change: Change): boolean =>
  change.tableId === 0 || (change.action !== 'update' && change.action !== 'convert') || Object.keys(change.changes ?? {}).length > 0

type Crossing = 'inside' | 'came' | 'left' | 'outside'

/** Code units of long texts that the filters of one caller may look through for one change: some 300 ms. */
export const SPENT_MOST = 16_777_216

/** @throws `server.query_timeout` where filters have looked through too many code units for one change */
export function mustBeAffordable(spent: number): void {
  if (spent > SPENT_MOST) throw fail('server.query_timeout', { seconds: limits.writingMoment.most / 1_000 })
}

/** The result of a test in memory; undefined where it throws `server.query_timeout`. */
export function ifAffordable<T>(test: () => T): T | undefined {
  try {
    return test()
  } catch (error) {
    if (error instanceof Failure && error.code === 'server.query_timeout') return undefined
    throw error
  }
}

/** What the changes of one table did for the caller; empty where there is no filter: then all are inside. */
async function crossingsOf(
  store: Used,
  granted: View,
  batch: LogBatch,
  further: Condition | undefined,
  { spend, passBy }: Required<Pick<Bounds, 'spend'>> & Pick<Bounds, 'passBy'>,
): Promise<ReadonlyMap<number, Crossing>> {
  const { table, readFilter } = granted
  const rows = batch.rows.filter(({ tableId }) => tableId === table.id)
  const crossings = new Map<number, Crossing>()
  if (readFilter !== '') await labelsAhead(granted)
  const rule = readFilter === '' ? [] : [ruleOf(store, granted, readFilter)]
  if (rule.length === 0 && !further) return crossings
  const terms = [...rule, ...(further ? [further] : [])]
  if (terms.includes(undefined)) return new Map(rows.map(({ id }) => [id, 'outside']))
  const condition: Condition = { is: 'and', terms: terms as Condition[] }
  let spent = 0
  const test = predicate(condition, (units) => mustBeAffordable((spent += units)))
  const states = await batch.states(table.id, [...attributesIn(condition).values()])
  for (const row of rows) {
    const cross = () => crossingOf(states.get(row.id), test)
    const crossing = passBy ? ifAffordable(cross) : cross()
    if (crossing === undefined) passBy?.(row)
    crossings.set(row.id, crossing ?? 'outside')
    if (spent > 0) await othersTurn()
    spend(spent)
    spent = 0
  }
  return crossings
}

function crossingOf(states: States | undefined, test: Predicate): Crossing {
  const [was, is] = [states?.before, states?.after].map((state) => state !== undefined && test(state))
  // What came into being, or came from the trash, is told as that.
  if (was && is) return 'inside'
  if (was) return states!.after ? 'left' : 'inside'
  if (is) return states!.before ? 'came' : 'inside'
  return 'outside'
}

/** The attributes that a condition reads, by column. */
export function attributesIn(condition: Condition, found: Map<string, Attribute> = new Map()): Attributes {
  switch (condition.is) {
    case 'and':
    case 'or':
      for (const term of condition.terms) attributesIn(term, found)
      return found
    case 'not':
      return attributesIn(condition.term, found)
    case 'search':
      for (const one of [...condition.attributes, ...condition.words.flatMap(({ among }) => among.map(({ attribute }) => attribute))])
        found.set(one.column, one)
      return found
    default:
      return found.set(condition.attribute.column, condition.attribute)
  }
}

/**
 * Shows changes by which a record came or went for the caller: as if it had been created or deleted, with all that they may see of it. The
 * states of all such changes of a table are read together; where values may be long, of some at a time.
 */
function statesAcross(
  store: Used,
  batch: LogBatch,
  views: ReadonlyMap<number, View>,
  crossings: ReadonlyMap<number, Crossing>,
): (row: Change, crossing: 'came' | 'left') => Promise<Change> {
  const across = batch.rows.filter(({ id }) => crossings.get(id) === 'came' || crossings.get(id) === 'left')
  /** By table, the states that were read last. */
  const states = new Map<number, ReadonlyMap<number, States>>()
  const looked = new Set<number>()
  return async (row, crossing) => {
    const columns = [...(await columnsOf(store, views.get(row.tableId)!)).values()].filter(({ column }) => column !== 'id')
    if (!looked.has(row.id)) {
      const next = across.filter(({ id, tableId }) => tableId === row.tableId && id >= row.id)
      const some = next.slice(0, statesAtOnce(columns, next.length))
      for (const { id } of some) looked.add(id)
      states.set(row.tableId, await batch.states(row.tableId, columns, some))
    }
    return acrossChange(row, crossing, states.get(row.tableId)?.get(row.id), columns)
  }
}

function acrossChange(row: Change, crossing: 'came' | 'left', states: States | undefined, columns: readonly Attribute[]): Change {
  const changes: Record<string, Shown[string]> = {}
  const state = crossing === 'came' ? states?.after : states?.before
  for (const attribute of columns) {
    const text = state && textIn(state, attribute)
    if (text !== undefined) changes[attribute.name] = crossing === 'came' ? { from: null, to: text } : { from: text, to: null }
  }
  return { ...row, action: crossing === 'came' ? 'create' : 'delete', changes }
}

function textIn(state: State, attribute: Attribute): string | undefined {
  const side = state.side(attribute.column)
  if (side === null || isEmpty(attribute.type, typeof side === 'object' ? side.value : side)) return undefined
  return textOf(attribute, side) ?? undefined
}

const lengthOf = (changes: Shown | null): number =>
  Object.values(changes ?? {}).reduce((sum, { from, to }) => sum + (from?.length ?? 0) + (to?.length ?? 0), 0)
