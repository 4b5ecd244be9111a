import { fail, Failure, Failures } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Granted, View } from '../../store/model/access.ts'
import { backwardAlong, forwardAlong, type Relationship } from '../../store/model/relationships.ts'
import type { Linked } from '../../store/records/referring-records.ts'
import type { Names } from '../routing/readers.ts'
import type { Incoming } from '../routing/route.ts'

/*
 * Relationships of records on the wire: `r12` along the reference field f12; `data7_r12` backwards, to the records of table 7 that refer
 * here by f12.
 */

export const relationshipName = ({ field, isInverse }: Relationship): string =>
  isInverse ? `data${field.tableId}_r${field.id}` : `r${field.id}`

/** The relationship of this name; undefined where none exists for the caller. */
export function relationshipNamed(view: View, name: string): Relationship | undefined {
  const found = /^(?:data([1-9]\d{0,14})_)?r([1-9]\d{0,14})$/.exec(name)
  if (!found) return undefined
  const [, tableId, fieldId] = found
  return tableId === undefined ? forwardAlong(view, Number(fieldId)) : backwardAlong(view, Number(tableId), Number(fieldId))
}

/** The relationship of a field whose attribute was named in its place, `f12` for `r12`. */
export function relationshipMeant(view: View, name: string): string | undefined {
  const meant = /^f[1-9]\d{0,14}$/.test(name) ? `r${name.slice(1)}` : undefined
  return meant !== undefined && relationshipNamed(view, meant) ? meant : undefined
}

/** What `relationship.unknown` says. */
export function notWritten(view: View, name: string): { readonly name: string; readonly meant?: string } {
  const meant = relationshipMeant(view, name)
  return { name: name.slice(0, 100), ...(meant !== undefined && { meant }) }
}

/** The relationship of a path; `other` where it leads backwards. @throws `request.no_such_path` where none exists for the caller */
export function relationshipOf(view: View, { field, other }: { readonly field: number; readonly other?: number }): Relationship {
  const found = other === undefined ? forwardAlong(view, field) : backwardAlong(view, other, field)
  if (!found) throw fail('request.no_such_path')
  return found
}

/** What `fields[<type>]` may name: attributes and relationships (JSON:API 1.1, fields). */
export const fieldsOf = (view: View): Names => ({
  has: (name) => view.allAttributes.has(name) || relationshipNamed(view, name) !== undefined,
  keys: () => view.allAttributes.keys(),
})

export const identifier = (tableId: number, id: number) => ({ type: `data${tableId}`, id: String(id) })

/** The addresses of a relationship of a record: of itself, and of the records it leads to. */
export function linksOf(relationship: Relationship, from: { readonly tableId: number; readonly id: number }) {
  const record = `/api/dev/data${from.tableId}/${from.id}`
  const name = relationshipName(relationship)
  return { self: `${record}/relationships/${name}`, related: `${record}/${name}` }
}

/** The resource linkage: one identifier or null, or an array of them. */
export const linkage = ({ tableId, isToMany }: Relationship, ids: readonly number[]) => {
  const all = ids.map((id) => identifier(tableId, id))
  return isToMany ? all : (all[0] ?? null)
}

/** @throws `parameter.unknown` where a request asks for a page of one */
export function mustHavePages({ isToMany }: Relationship, pairs: Incoming['pairs']): void {
  const name = pairs.find(([one]) => one.startsWith('page['))?.[0]
  if (name !== undefined && !isToMany) throw fail('parameter.unknown', { name }, { source: { parameter: name } })
}

/** The ids of the document that changes a relationship (JSON:API 1.1, updating relationships). */
export function sentLinkage(body: unknown, relationship: Relationship): readonly string[] {
  const data = typeof body === 'object' && body !== null && Object.hasOwn(body, 'data') ? (body as { data: unknown }).data : undefined
  if (data === undefined) throw fail('document.missing_member', { name: 'data' }, { source: { pointer: '/data' } })
  return sentIds(data, relationship, '/data')
}

/** The ids of a relationship to several records after an operation with some of them, none of them twice. */
export function changedLinkage(op: 'add' | 'update' | 'remove', held: readonly number[], named: readonly string[]): readonly string[] {
  if (op === 'update') return named
  const before = held.map(String)
  if (op === 'add') return [...new Set([...before, ...named])]
  const removed = new Set(named)
  return before.filter((one) => !removed.has(one))
}

/** The value of a reference field with these ids. */
export const textOf = ({ isToMany }: Relationship, ids: readonly string[]): string =>
  isToMany && ids.length > 0 ? `-${ids.join('-')}-` : (ids[0] ?? '')

/** The ids of a resource linkage. `pointer`: where it is in the document. */
export function sentIds(data: unknown, { isToMany, tableId }: Relationship, pointer: string): readonly string[] {
  if (!isToMany) return data === null ? [] : [sentId(data, tableId, pointer)]
  if (!Array.isArray(data) || data.length > limits.ids.most) {
    const must = `an array of at most ${limits.ids.most} identifiers`
    throw fail('document.invalid_member', { name: 'data', must }, { source: { pointer } })
  }
  return [...new Set(data.map((one, i) => sentId(one, tableId, `${pointer}/${i}`)))]
}

function sentId(sent: unknown, tableId: number, pointer: string): string {
  const { type, id } = (typeof sent === 'object' && sent !== null ? sent : {}) as { readonly type?: unknown; readonly id?: unknown }
  const wanted = `data${tableId}`
  if (typeof type !== 'string' || typeof id !== 'string')
    throw fail('document.invalid_member', { name: 'data', must: 'a resource identifier: type and id, as strings' }, { source: { pointer } })
  if (type !== wanted) throw fail('document.wrong_type', { type: wanted }, { source: { pointer: `${pointer}/type` } })
  if (!/^[1-9]\d{0,15}$/.test(id))
    throw fail('document.invalid_member', { name: 'id', must: 'the id of a record' }, { source: { pointer: `${pointer}/id` } })
  return id
}

/** Runs a change of the field of a relationship; failures of the field are at fault in the linkage. */
export const aboutLinkage = <R>({ field }: Relationship, work: () => Promise<R>): Promise<R> =>
  pointedAt(new Map([[field.name, '/data']]), work)

/** Runs a write; failures of these fields point elsewhere than at their attributes. */
export async function pointedAt<R>(pointers: ReadonlyMap<string, string>, work: () => Promise<R>): Promise<R> {
  const placed = (failure: Failure) => {
    const pointer = pointers.get(failure.where.attribute ?? '')
    return pointer === undefined ? failure : failure.at({ source: { pointer } })
  }
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) throw placed(error)
    if (error instanceof Failures) throw new Failures(error.failures.map(placed))
    throw error
  }
}

/** @throws `access.denied` where the caller may not change the field of the relationship */
export function mustBeWritable(granted: Granted<'update'>, relationship: Relationship): void {
  if (granted.readOnly.has(relationship.field.name)) throw fail('access.denied', { what: `change ${relationshipName(relationship)}` })
}

/** The relationship object of a record; without `linked` it has links only. `next`: where the rest of many begins. */
export function relationshipObject(
  relationship: Relationship,
  from: { readonly tableId: number; readonly id: number },
  linked: Linked | undefined,
): object {
  const links = linksOf(relationship, from)
  if (!linked) return { links }
  const { most } = limits.page
  const next = linked.more && { next: `${links.self}?page%5Blimit%5D=${most}&page%5Boffset%5D=${most}` }
  return { links: { ...links, ...next }, data: linkage(relationship, linked.ids) }
}
