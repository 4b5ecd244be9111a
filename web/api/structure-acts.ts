import { addressOf, make, place, refresh, removeCategory, type Structure } from './administration.ts'
import { ApiError, send, type Resource } from './client.ts'
import { categories, fieldsOf, queries, tables } from './queries.ts'
import type { TakeBack } from './undo.ts'

/*
 * Changes of the structure that can be taken back: what was there before is written back by the same route, but for what somebody has changed since.
 */

type Values = Readonly<Record<string, unknown>>

/** What a resource holds since, and what it held before. */
interface Step {
  readonly type: Structure
  readonly id: string
  readonly held: Values
  readonly before: Values
}

export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
const pick = (from: Values, names: readonly string[]): Values => Object.fromEntries(names.map((name) => [name, from[name]]))

const patch = async (type: Structure, id: string, attributes: Values): Promise<Values> =>
  (await send<Resource>('PATCH', addressOf(type, id, Object.keys(attributes)), { data: { type, id, attributes } })).data.attributes

/** The structure is read again. What is done next may be to take the act back. */
const read = (way: TakeBack): Promise<TakeBack> => refresh().then(() => way)

/** Changes attributes of a resource. `change`: what they are to be, or made of what the service has by then. @throws ApiError */
export async function changeAct(type: Structure, id: string, change: Values | ((now: Values) => Values)): Promise<TakeBack> {
  const { data } = await send<Resource>('GET', addressOf(type, id, typeof change === 'function' ? [] : Object.keys(change)))
  const attributes = typeof change === 'function' ? change(data.attributes) : change
  const after = await patch(type, id, attributes)
  const own = Object.keys(attributes)
  // A default goes with its option.
  const names = [
    ...own,
    ...(own.includes('options') && !same(after['default_value'], data.attributes['default_value']) ? ['default_value'] : []),
  ]
  return read(writeBack([{ type, id, held: pick(after, names), before: pick(data.attributes, names) }]))
}

const writeBack =
  (steps: readonly Step[]): TakeBack =>
  async () => {
    const gone: Step[] = []
    let conflicts = 0
    try {
      for (const { type, id, held, before } of steps) {
        const now = await attributesOf(type, id, Object.keys(held))
        const names = Object.keys(held).filter((name) => now && same(now[name], held[name]))
        conflicts += Object.keys(held).length - names.length
        if (names.length === 0) continue
        const after = await patch(type, id, pick(before, names))
        gone.push({ type, id, held: pick(after, names), before: pick(held, names) })
      }
    } finally {
      await refresh()
    }
    return { batches: [], conflicts, ...(gone.length > 0 && { again: writeBack(gone) }) }
  }

/** Undefined: it is gone. */
async function attributesOf(type: Structure, id: string, names: readonly string[]): Promise<Values | undefined> {
  try {
    return (await send<Resource>('GET', addressOf(type, id, names))).data.attributes
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  }
}

/** `place` of administration.ts. @throws ApiError */
export async function placeAct(type: 'category' | 'table', ids: readonly string[], more: Values = {}): Promise<TakeBack> {
  const at = type === 'category' ? 'sequence_number' : 'category_sequence_number'
  const known = queries.getQueryData((type === 'category' ? categories : tables).queryKey)?.data ?? []
  const steps = ids.flatMap((id, i) => {
    const before = known.find((one) => one.id === id)?.attributes
    const held = { [at]: i + 1, ...more }
    const names = Object.keys(held).filter((one) => before && !same(before[one], held[one as typeof at]))
    return before && names.length > 0 ? [{ type, id, held: pick(held, names), before: pick(before, names) }] : []
  })
  await place(type, ids, more)
  return writeBack(steps)
}

/** Puts the fields of a table into this order. @throws ApiError */
export async function orderAct(table: string, ids: readonly string[]): Promise<TakeBack> {
  const before = await orderOf(table)
  await patch('table', table, { field_order: ids.map(Number) })
  return read(orderBack(table, ids, before))
}

const orderBack =
  (table: string, held: readonly string[], before: readonly string[]): TakeBack =>
  async () => {
    // Where fields have come, gone or been moved since, that stays.
    if (!same(await orderOf(table), held)) return { batches: [], conflicts: 1 }
    await patch('table', table, { field_order: before.map(Number) })
    await refresh()
    return { batches: [], conflicts: 0, again: orderBack(table, before, held) }
  }

const orderOf = async (table: string): Promise<readonly string[]> => {
  const { data } = await queries.fetchQuery({ ...fieldsOf(Number(table)), staleTime: 0 })
  return data.map(({ id }) => id)
}

/** Puts fields of a table under another heading. @throws ApiError */
export async function sectionAct(table: string, ids: readonly string[], section: string): Promise<TakeBack> {
  const known = queries.getQueryData(fieldsOf(Number(table)).queryKey)?.data ?? []
  await patch('table', table, { field_sections: Object.fromEntries(ids.map((id) => [id, section])) })
  const steps = known
    .filter(({ id }) => ids.includes(id))
    .map(({ id, attributes }) => ({ type: 'field' as const, id, held: { section }, before: { section: attributes['section'] } }))
  return read(writeBack(steps))
}

/** Takes a category away; its tables stay. @throws ApiError */
export async function dissolveAct(category: Resource): Promise<TakeBack> {
  const { data } = await queries.fetchQuery({ ...tables, staleTime: 0 })
  const its = data.filter(({ attributes }) => String(attributes['category_id']) === category.id)
  await removeCategory(category.id)
  return gatherAgain(category, its)
}

/** Made again, the category has those of its tables that nobody has put elsewhere. */
const gatherAgain =
  ({ attributes }: Resource, its: readonly Resource[]): TakeBack =>
  async () => {
    const { data } = await queries.fetchQuery({ ...tables, staleTime: 0 })
    const known = new Set((await queries.fetchQuery({ ...categories, staleTime: 0 })).data.map(({ id }) => id))
    const free = its.filter(({ id }) => data.some((one) => one.id === id && !known.has(String(one.attributes['category_id']))))
    const made = await make('category', pick(attributes, ['category_name', 'sequence_number']))
    try {
      for (const table of free)
        await patch('table', table.id, { category_id: Number(made.id), ...pick(table.attributes, ['category_sequence_number']) })
    } finally {
      await refresh()
    }
    const again: TakeBack = async () => {
      await removeCategory(made.id)
      return { batches: [], conflicts: 0, again: gatherAgain(made, free) }
    }
    return { batches: [], conflicts: its.length - free.length, again }
  }
