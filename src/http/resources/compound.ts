import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { grant, type Granted, type View } from '../../store/model/access.ts'
import type { ShownRecord } from '../../store/model/record.ts'
import type { Relationship } from '../../store/model/relationships.ts'
import { readRelated, type Met, type Step } from '../../store/records/related-records.ts'
import type { Linked } from '../../store/records/referring-records.ts'
import type { ResourceObject } from '../answers/jsonapi.ts'
import { selection } from '../routing/readers.ts'
import type { Incoming } from '../routing/route.ts'
import { toResource, typeOf } from './record.ts'
import { fieldsOf, relationshipMeant, relationshipName, relationshipNamed, relationshipObject } from './relationship.ts'

/* Compound documents of records (JSON:API 1.1): `include` and `fields[…]`. */

/** Relationships that a path may have. */
const DEPTH = 2

/** What a request asks to be shown of records and of those related to them. */
export interface Wanted {
  /** Undefined: the request has no `include`. */
  readonly steps: readonly Step[] | undefined
  /** By type, what `fields[…]` names; absent: all. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
}

type Asking = Pick<Incoming, 'pairs'> & { readonly query: { readonly include: string | undefined } }

/** Reads `include` and `fields[…]`. @throws `parameter.…`, `attribute.unknown` */
export function wantedOf(request: Asking, granted: View): Wanted {
  if (request.pairs.length === 0) return nothing
  const { include } = request.query
  const steps = include === undefined ? undefined : stepsOf(include, grant('read', granted.table.id, granted.caller, granted.catalogue))
  const views = new Map([[granted.table.id, granted]])
  const add = ({ relationship: { tableId }, next }: Step): void => {
    views.set(tableId, grant('read', tableId, granted.caller, granted.catalogue))
    next.forEach(add)
  }
  steps?.forEach(add)
  const fields = selection(request, Object.fromEntries([...views.values()].map((view) => [typeOf(view), fieldsOf(view)])))
  return { steps, fields }
}

const nothing: Wanted = { steps: undefined, fields: new Map() }

interface Branch {
  readonly relationship: Relationship
  readonly next: Map<string, Branch>
}

/** The steps of `r12,r12.r4`: a path brings the records along it too. */
function stepsOf(include: string, granted: Granted<'read'>): Step[] {
  const first = new Map<string, Branch>()
  let count = 0
  const paths = include === '' ? [] : include.split(',', limits.includes.most + 1)
  if (paths.length > limits.includes.most) throw tooMany()
  for (const path of paths) {
    const names = path.split('.', DEPTH + 1)
    if (names.length > DEPTH) throw invalid(`'${path.slice(0, 100)}' has more than ${DEPTH} relationships.`)
    let branches = first
    let view: Granted<'read'> = granted
    for (const name of names) {
      let branch = branches.get(name)
      if (!branch) {
        const relationship = relationshipNamed(view, name)
        if (!relationship) throw invalid(notIncluded(path, relationshipMeant(view, name)))
        if (++count > limits.includes.most) throw tooMany()
        branches.set(name, (branch = { relationship, next: new Map() }))
      }
      view = grant('read', branch.relationship.tableId, granted.caller, granted.catalogue)
      branches = branch.next
    }
  }
  return grown(first)
}

const grown = (branches: ReadonlyMap<string, Branch>): Step[] =>
  [...branches.values()].map(({ relationship, next }) => ({ relationship, next: grown(next) }))

const notIncluded = (path: string, meant: string | undefined): string =>
  `'${path.slice(0, 100)}' cannot be included.${meant === undefined ? '' : ` The relationship of the field is '${meant}'.`}`
const invalid = (why: string) => fail('parameter.invalid', { why }, { source: { parameter: 'include' } })
const tooMany = () => invalid(`An include follows at most ${limits.includes.most} relationships.`)

/** Records as they are shown. */
export interface Shown {
  readonly data: readonly ResourceObject[]
  readonly included?: readonly ResourceObject[]
  /** What the answer depends on besides the records in `data`, for its entity tag. */
  readonly others: readonly unknown[]
}

/** Records with their relationships, and the records that these include. @throws `include.too_many`, `include.too_large` */
export async function showAll(
  { store }: Pick<Incoming, 'store'>,
  granted: Granted<'read'>,
  records: readonly ShownRecord[],
  { steps, fields }: Wanted,
): Promise<Shown> {
  if (!steps && fields.size === 0) return { data: records.map((record) => toResource(granted, record)), others: [] }
  if (!steps) return { data: records.map((record) => resourceOf(granted, record, fields)), others: [] }
  const shown = new Map([...fields].map(([type, names]) => [Number(type.slice('data'.length)), names]))
  const { first, others } = await readRelated(store, granted, records, steps, shown)
  const data = first.map(({ record, links }) => resourceOf(granted, record, fields, links))
  const included = others.map((one) => resourceOf(one.granted, one.record, fields, one.links))
  const views = new Set(others.map((one) => one.granted))
  return {
    data,
    included,
    others: [
      data.map(({ relationships }) => relationships),
      included.map(({ type, id, relationships }, i) => [type, id, others[i]!.record.version, relationships]),
      [...views].map(({ table, attributes }) => [table.id, table.version, [...attributes.keys()]]),
    ],
  }
}

/** A record with the attributes and relationships that `fields[…]` names, and the relationships that were followed. */
export function resourceOf(view: View, record: ShownRecord, fields: Wanted['fields'], links?: Met['links']): ResourceObject {
  const names = fields.get(typeOf(view))
  const { type, id, attributes, links: own } = toResource(view, record, names)
  const relationships = relationshipsOf(view, record.id, links, names)
  return { type, id, ...(attributes && { attributes }), ...(relationships && { relationships }), links: own }
}

/** The relationships that were followed, and those that `fields[…]` names; undefined: none. */
function relationshipsOf(view: View, id: number, links: Met['links'] | undefined, names: ReadonlySet<string> | undefined) {
  const shown: Record<string, object> = {}
  const add = (relationship: Relationship, linked: Linked | undefined): void => {
    const name = relationshipName(relationship)
    if (!names || names.has(name)) shown[name] ??= relationshipObject(relationship, { tableId: view.table.id, id }, linked)
  }
  for (const { relationship, linked } of links?.values() ?? []) add(relationship, linked)
  for (const name of names ?? []) {
    const relationship = relationshipNamed(view, name)
    if (relationship) add(relationship, undefined)
  }
  return Object.keys(shown).length > 0 ? shown : undefined
}
