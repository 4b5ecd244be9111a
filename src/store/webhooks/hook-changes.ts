import type { Attribute } from '../../fields/field-type.ts'
import type { Condition } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { predicate } from '../../filter/predicate.ts'
import { filterFunctions } from '../../filter/functions.ts'
import { join, sql } from '../../sql/sql.ts'
import { followChanges } from '../changes/follow-changes.ts'
import { wholeChanges, type Change } from '../changes/list-changes.ts'
import { attributesIn, ifAffordable, logBatch, mustBeAffordable, seenBy, SPENT_MOST } from '../changes/stream-view.ts'
import { statesOf, type LoggedChange } from '../changes/states.ts'
import type { Content } from '../changes/content.ts'
import { asOfNow } from '../ground/clock.ts'
import type { Row } from '../ground/db.ts'
import { findRow } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import { grant, type Caller } from '../model/access.ts'
import { conditionOf } from '../records/read-records.ts'
import { labelsAhead } from '../records/long-keys.ts'
import { othersTurn } from '../scheduling/others-turn.ts'
import type { Hook } from './queue.ts'

type Used = Uses<'db' | 'catalogue' | 'context'>

/** A change that a webhook is sent. */
export interface Sent {
  readonly change: Change
  /** What the change did to the record in the filter of the webhook: `entered`, `changed` within it, `left`; undefined without a filter. */
  readonly inFilter: 'entered' | 'changed' | 'left' | undefined
  /** Whether its texts took the filter too long: then it is not sent. */
  readonly isTooLong?: boolean
}

export interface NextForHook {
  readonly sent: readonly Sent[]
  /** Up to here everything was looked at. */
  readonly cursor: number
  /** Whether there may be more now. */
  readonly more: boolean
  /** The ids of changes whose texts took a filter of rights too long: whether the user may read them is not known. */
  readonly passed: readonly number[]
}

/**
 * What comes after a position for a webhook, as its user sees it today; `limit`: of changes that are looked at.
 * @throws `change.expired`; failures `filter.…` of its filter
 */
export async function changesFor(store: Used, webhook: Hook, after: number, limit: number): Promise<NextForHook> {
  const hook = { ...webhook, caller: asOfNow(webhook.caller) }
  const filter = hook.tableId === 0 ? undefined : ofTable(hook.tableId)
  const passed: number[] = []
  const passBy = ({ id }: Change) => void passed.push(id)
  const { changes, cursor, more } = await followChanges(store, hook.caller, { after, limit, filter, passBy })
  const { sent, end } = await chosen(store, hook, changes)
  return end === undefined ? { sent, cursor, more, passed } : { sent, cursor: end, more: true, passed }
}

/**
 * One change for a webhook; undefined: by today's rights and its filter there is none, or it was erased. `too long`: its texts take a filter
 * too long. @throws as `changesFor`
 */
export async function changeFor(store: Used, webhook: Hook, id: number): Promise<Sent | 'too long' | undefined> {
  const hook = { ...webhook, caller: asOfNow(webhook.caller) }
  const row = await findRow(async (query) => (await store.db.readLittle(hook.caller, query))[0]!, wholeChanges, id)
  if (!row || (hook.tableId !== 0 && row.tableId !== hook.tableId)) return undefined
  let isTooLong = false
  const passBy = () => void (isTooLong = true)
  const [change] = await seenBy(store, hook.caller, logBatch(store, hook.caller, [row]), undefined, { passBy })
  const sent = change && (await chosen(store, hook, [change])).sent[0]
  return isTooLong || sent?.isTooLong ? 'too long' : sent
}

const ofTable = (tableId: number): Condition => ({
  is: 'apply',
  fn: filterFunctions['eq']!,
  attribute: wholeChanges.attributes.get('tableId')!,
  values: [tableId],
})

/** Those of some changes that a webhook is sent. `end`: the one that was looked at last, where the filter took too long for all of them. */
async function chosen(store: Used, hook: Hook, changes: readonly Change[]): Promise<{ sent: Sent[]; end?: number }> {
  const wanted = changes.filter(({ action }) => hook.actions.length === 0 || hook.actions.includes(action))
  if (hook.filter === '' || wanted.length === 0) return { sent: wanted.map((change) => ({ change, inFilter: undefined })) }
  const granted = grant('read', hook.tableId, hook.caller, store.catalogue())
  const condition = await conditionOf(store, granted, parse(hook.filter), true)
  const attributes = [...attributesIn(condition).values()]
  await labelsAhead(granted)
  let [spent, spentOnAll] = [0, 0]
  const test = predicate(condition, (units) => mustBeAffordable((spent += units)))
  const logged = await loggedOf(store, hook.caller, wanted, attributes)
  const states = await statesOf(store, hook.caller, granted.table, logged, attributes)
  const sent: Sent[] = []
  for (const change of wanted) {
    // The states follow the action that the user is shown: a `create` has none before, a `delete` none after.
    const { before, after } = states.get(change.id) ?? {}
    const sides = ifAffordable(() => [before !== undefined && test(before), after !== undefined && test(after)] as const)
    const [was, is] = sides ?? [false, false]
    if (!sides) sent.push({ change, inFilter: undefined, isTooLong: true })
    else if (was || is) sent.push({ change, inFilter: was && is ? 'changed' : is ? 'entered' : 'left' })
    if (spent > 0) await othersTurn()
    spentOnAll += spent
    spent = 0
    if (spentOnAll > SPENT_MOST) return { sent, end: change.id }
  }
  return { sent }
}

/** What the log holds of some attributes in these changes. */
async function loggedOf(store: Used, by: Caller, changes: readonly Change[], attributes: readonly Attribute[]): Promise<LoggedChange[]> {
  const { dialect } = store.db
  const members = attributes.map(({ column }) => dialect.memberOf(sql`content`, column))
  const ids = changes.map(({ id }) => id)
  const [rows] = await store.db.readLittle(
    by,
    sql`SELECT ${join([sql`id`, ...members], ', ')} FROM changes WHERE ${dialect.oneOf(sql`id`, ids)}`,
  )
  const contents = new Map(rows!.map(([id, ...entries]) => [Number(id), contentOf(entries, attributes)]))
  return changes.map(({ id, recordId, action }) => ({ id, recordId, action, content: contents.get(id) ?? {} }))
}

const contentOf = (entries: Row, attributes: readonly Attribute[]): Content =>
  Object.fromEntries(
    attributes.flatMap(({ column }, i) => (entries[i] === null ? [] : [[column, JSON.parse(String(entries[i])) as Content[string]]])),
  )
