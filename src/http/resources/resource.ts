import { isDeepStrictEqual } from 'node:util'
import { Failure, Failures, fail, type ErrorCode } from '../../errors.ts'
import { nullable } from '../../fields/forms/json-schema.ts'
import type { Attribute, Schema } from '../../fields/field-type.ts'
import type { Caller } from '../../store/model/access.ts'
import { administrator, writer, type Administrator } from '../../store/catalogue/administrator.ts'
import { seeRow, type Identified, type Relation } from '../../store/ground/relation.ts'
import type { Store } from '../../store/ground/store.ts'
import type { DeletionEffects } from '../../store/structure/deletion-effects.ts'
import { plainText } from '../answers/described.ts'
import { resource, type ResourceObject } from '../answers/jsonapi.ts'
import { pick, readRelationships, selection } from '../routing/readers.ts'
import type { Incoming, Reach } from '../routing/route.ts'
import { escaped } from '../routing/source.ts'
import type { Form } from './forms.ts'

/*
 * A resource of the service's own (user, table, token …) is described by a table of its attributes: the name on the wire, the name
 * in the program, and who may set it. Reading, showing, filtering and sorting derive from that table.
 */

export interface Member {
  /** The name in the program. */
  readonly of: string
  readonly form: Form
  /** Must be sent on create, and is never empty. */
  readonly required?: true
  /** Whether clients can set it; `never`: only the service does; `once`: at creation only; `later`: by changes only. */
  readonly set?: 'never' | 'once' | 'later'
  /** Can be sent and is never shown: passwords, and what other attributes show. */
  readonly secret?: true
  /** Shown only where `fields[…]` names it: clients of the contract do not know it. */
  readonly ifAsked?: true
  /** What it means, in Markdown with links from docs/reference: the reference and the documents of the interface show it. */
  readonly says: string
}

type Members = Readonly<Record<string, Member>>
type Asking = Pick<Incoming, 'store' | 'caller'>
type Chosen = ReturnType<typeof selection>

/** A kind of write: who may do it (checked before the body is read, and again by `run`), and what it does. */
export interface Write<T extends Identified, Args extends readonly unknown[], R> {
  /** `unlimited` where the write needs another kind of token than reading does. */
  readonly token?: 'unlimited'
  /** Whether only administrators may do it. */
  readonly administrative?: true
  /** `row`: the resource before the write; undefined on create. @throws `access.denied` */
  allow(caller: Caller, row: T | undefined): unknown
  /** Error codes besides those that every such write has. */
  readonly fails?: readonly ErrorCode[]
  run(store: Store, caller: Caller, ...args: Args): Promise<R>
}

/** A write that only administrators may do. `what` completes the sentence "You may not …". */
export const administrators = <Args extends readonly unknown[], R>(
  what: string,
  write: (store: Store, by: Administrator, ...args: Args) => Promise<R>,
  fails: readonly ErrorCode[] = [],
): Write<never, Args, R> => ({
  token: 'unlimited',
  administrative: true,
  fails,
  allow: (caller) => administrator(caller, what),
  run: (store, caller, ...args) => write(store, administrator(caller, what), ...args),
})

/** A write for every caller with a token that may write; `write` checks the rest. */
export const writers = <Args extends readonly unknown[], R>(
  what: string,
  write: (store: Store, by: Caller, ...args: Args) => Promise<R>,
): Write<never, Args, R> => ({
  allow: (caller) => writer(caller, what),
  run: (store, caller, ...args) => write(store, writer(caller, what), ...args),
})

/** X: attributes that a write may send besides those that are shown. */
export interface Resource<T extends Identified, X extends object = object> {
  readonly type: string
  /** The kind of token needed for reading, and for writes that need no other kind. */
  readonly token: Exclude<Reach, 'none'>
  /** The plural in messages: `the saved filters`. */
  readonly plural: string
  readonly relation: Relation<T>
  readonly members: Members
  /** The attributes for filters and sorting, by wire name. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Adds attributes that have no column. Values that the caller may not see are not in the row (`shownTo` of its relation). */
  complete?(store: Store, row: T): T & object
  /** Adds an attribute that is shown only if asked (`ifAsked`), and costs something: only where it is asked for. */
  readonly onDemand?: { readonly name: string; fill(store: Store, caller: Caller, rows: readonly T[]): Promise<readonly (T & object)[]> }
  /** `meta` of the resource object. */
  meta?(store: Store, caller: Caller, row: T): Readonly<Record<string, unknown>>
  /** The relationships that `include` shows, which cannot be set; a document may have them as they are shown. */
  relationships?(store: Store, caller: Caller, row: T): Promise<Readonly<Record<string, { readonly data: unknown }>>>
  readonly create?: Write<T, [values: Partial<T> & X], number>
  readonly update?: Write<T, [id: number, changes: Partial<T> & X], void>
  readonly remove?: Write<T, [id: number], void>
  /** What its deletion would do; only administrators delete such a resource. */
  readonly foretell?: (store: Store, by: Administrator, id: number) => Promise<DeletionEffects>
}

export function defineResource<T extends Identified, X extends object = object>(
  definition: Omit<Resource<T, X>, 'attributes'>,
): Resource<T, X> {
  const { relation, members } = definition
  const named = Object.entries(members).flatMap(([name, { of }]): [string, Attribute][] => {
    const attribute = relation.attributes.get(of)
    return attribute ? [[name, { ...attribute, name }]] : []
  })
  return { ...definition, attributes: new Map([['id', relation.attributes.get('id')!], ...named]) }
}

/** The attributes of a row by their wire names. */
export function shown<T extends Identified, X extends object>(
  resource: Resource<T, X>,
  { store }: Asking,
  row: T,
): Record<string, unknown> {
  const complete = (resource.complete?.(store, row) ?? row) as Readonly<Record<string, unknown>>
  const open = Object.entries(resource.members).filter(([, member]) => !member.secret)
  return Object.fromEntries(open.map(([name, { of, form }]) => [name, form.show(complete[of])]))
}

/** The attributes that answers show, as a schema. */
export function attributesShown(members: Members): Schema {
  const open = Object.entries(members).filter(([, { secret }]) => !secret)
  return { type: 'object', properties: Object.fromEntries(open.map(([name, one]) => [name, described(one, one.form.schema.shown)])) }
}

/** The schema with what the attribute means. */
const described = ({ says, set, secret }: Member, schema: Schema): Schema => ({
  ...schema,
  description: plainText(says),
  ...(set === 'never' && { readOnly: true }),
  ...(secret && { writeOnly: true }),
})

/** The attributes that a write may send, as a schema. To change a resource, those that cannot be set may be sent as they are. */
export function attributesSent(members: Members, what: 'Create' | 'Update'): Schema {
  const creating = what === 'Create'
  const open = Object.entries(members).filter(([, { set }]) => set !== 'never' && set !== (creating ? 'later' : 'once'))
  const required = creating ? open.flatMap(([name, member]) => (member.required ? [name] : [])) : []
  return {
    type: 'object',
    properties: Object.fromEntries(open.map(([name, one]) => [name, described(one, nullable(one.form.schema.sent))])),
    ...(required.length > 0 && { required }),
    ...(creating && { additionalProperties: false }),
  }
}

/** The row as a resource object, with the attributes that `fields[…]` leaves. */
export function toResource<T extends Identified, X extends object>(
  of: Resource<T, X>,
  asking: Asking,
  row: T,
  chosen?: Chosen,
): ResourceObject {
  const all = shown(of, asking, row)
  const wanted = chosen?.get(of.type) ?? new Set(Object.keys(all).filter((name) => !of.members[name]!.ifAsked))
  return resource(of.type, row.id, pick(all, wanted), of.meta?.(asking.store, asking.caller, row))
}

/** Rows with what is added on demand, where `fields[…]` names that. */
export const withDemanded = async <T extends Identified, X extends object>(
  { type, onDemand }: Resource<T, X>,
  { store, caller }: Asking,
  rows: readonly T[],
  chosen: Chosen,
): Promise<readonly T[]> => (onDemand && chosen?.get(type)?.has(onDemand.name) ? onDemand.fill(store, caller, rows) : rows)

/** The attributes that `fields[…]` of a request selects. @throws for unknown types and attributes */
export function chosenOf(
  request: Pick<Incoming, 'pairs'>,
  ...resources: readonly { readonly type: string; readonly members: Members }[]
): Chosen {
  return selection(
    request,
    Object.fromEntries(
      resources.map(({ type, members }) => [type, new Set(Object.keys(members).filter((name) => !members[name]!.secret))]),
    ),
  )
}

/** @throws not found, also where the caller may not see it */
export function mustExist<T extends Identified, X extends object>({ type }: Resource<T, X>, id: number, row: T | undefined): T {
  if (row) return row
  if (type === 'table') throw fail('table.not_found', { table: id })
  if (type === 'trash') throw fail('trash.not_found', { entry: id })
  throw fail('resource.not_found', { type, id })
}

/** Checks that the caller may write this resource, which exists for them. @throws `access.denied` */
export async function mustAllow<T extends Identified, X extends object>(
  resource: Resource<T, X>,
  { allow }: Pick<Write<T, never, unknown>, 'allow'>,
  { store, caller, params }: Asking & { readonly params: { readonly id: number } },
): Promise<void> {
  allow(caller, mustExist(resource, params.id, await seeRow(store, resource.relation, caller, params.id)))
}

/** @throws `relationship.unknown`, `relationship.read_only` where a document has other relationships than `include` shows */
export async function mustRelateAsShown<T extends Identified, X extends object>(
  { relationships }: Resource<T, X>,
  { store, caller, body }: Pick<Incoming, 'store' | 'caller' | 'body'>,
  row: T,
): Promise<void> {
  const sent = readRelationships({ body })
  if (sent.size === 0) return
  const shown = (await relationships?.(store, caller, row)) ?? {}
  for (const [name, value] of sent) {
    const at = { source: { pointer: `/data/relationships/${escaped(name)}` } }
    if (!Object.hasOwn(shown, name)) throw fail('relationship.unknown', { name: name.slice(0, 100) }, at)
    const { data } = (value ?? {}) as { readonly data?: unknown }
    if (data !== undefined && !isDeepStrictEqual(data, shown[name]!.data)) throw fail('relationship.read_only', { name }, at)
  }
}

/**
 * The values that a document sets. `now`: the attributes as a response would show them, undefined on create; values sent that equal
 * them are ignored, also those of attributes that cannot be set (interface 4.15).
 * @throws Failures, one for each attribute that is unknown, cannot be set, is missing or of the wrong type
 */
export function readAttributes<T extends object>(
  members: Members,
  sent: ReadonlyMap<string, unknown>,
  now?: Readonly<Record<string, unknown>>,
): T {
  const refused: Failure[] = []
  const unfit: Failure[] = []
  const values: Record<string, unknown> = {}
  for (const [name, value] of sent) {
    const member = members[name]
    if (!member || !Object.hasOwn(members, name)) refused.push(fail('attribute.unknown', { name }, { attribute: name }))
    else if (!member.secret && now && isDeepStrictEqual(value, now[name])) continue
    else if (member.set === 'never' || member.set === (now ? 'once' : 'later'))
      refused.push(fail('attribute.read_only', { name }, { attribute: name }))
    else {
      try {
        values[member.of] = readMember(name, member, value)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        unfit.push(error.at({ attribute: name }))
      }
    }
  }
  if (!now)
    for (const [name, member] of Object.entries(members))
      if (member.required && !sent.has(name)) unfit.push(fail('field.required', { name }, { attribute: name }))
  const failures = [...refused, ...unfit]
  if (failures.length > 0) throw new Failures(failures)
  return values as T
}

function readMember(name: string, { form, required }: Member, value: unknown): unknown {
  const read = value === null ? form.empty : form.read(value)
  if (required && (read === '' || read === 0)) throw fail('field.required', { name })
  return read
}

/** Runs work of the store; its failures get the wire names of attributes. */
export async function pointed<R>(members: Members, work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) throw translate(members, error)
    if (error instanceof Failures) throw new Failures(error.failures.map((failure) => translate(members, failure)))
    throw error
  }
}

function translate(members: Members, failure: Failure): Failure {
  const { attribute, path } = failure.where
  const name = Object.keys(members).find((one) => members[one]!.of === attribute)
  return name ? failure.at({ attribute: name, ...(path && { path }) }) : failure
}
