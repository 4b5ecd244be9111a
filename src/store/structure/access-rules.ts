import { Failure, Failures, fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Attribute } from '../../fields/field-type.ts'
import { quoted } from '../../fields/forms/quoted.ts'
import { checking } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { sql } from '../../sql/sql.ts'
import type { Administrator } from '../catalogue/administrator.ts'
import { audit } from '../people/audit.ts'
import type { Catalogue, Table } from '../model/catalogue.ts'
import {
  attributeNamed,
  isAllowList,
  nameable,
  readFieldRights,
  writeFieldRights,
  type FieldRight,
  type WrittenFieldRights,
} from '../model/field-rights.ts'
import { ADMINISTRATORS } from '../people/groups.ts'
import { findRow } from '../ground/relation.ts'
import { deleteRows, insertRow, updateRow } from '../ground/resource-rows.ts'
import { mustHaveRoom } from '../ground/quota.ts'
import { inTurns } from '../scheduling/others-turn.ts'
import type { StoreContext, Uses } from '../ground/store.ts'
import { accessRules, visibleRules, type AccessRule } from '../people/access-rows.ts'

/** What of the store is used here. */
type Used = Uses<'db' | 'environment' | 'settings' | 'context' | 'catalogue' | 'restructure'>

export const createRule = (store: Used, by: Administrator, values: Partial<AccessRule>): Promise<number> =>
  store.restructure(async (tx) => {
    const { groupId = 0, tableId = 0 } = values
    const table = await mustFit(store, values, groupId, tableId)
    const [other] = await tx.all(sql`SELECT id FROM access WHERE group_id = ${groupId} AND table_id = ${tableId}`)
    if (other) throw fail('access.exists', { group: groupId, table: tableId }, { meta: { access_id: String(other[0]) } })
    await mustHaveRoom(store, tx, limits.accessRules, { table: 'access' })
    const id = await insertRow(tx, by, accessRules, canonical(values))
    await audit(store, tx, by, 'access_created', `group ${groupId}, table ${table.id}`, described(values))
    return id
  })

export const updateRule = (store: Used, by: Administrator, id: number, changes: Partial<AccessRule>): Promise<void> =>
  store.restructure(async (tx) => {
    const now = await findRow((query) => tx.all(query), accessRules, id, visibleRules(store, by))
    if (!now) throw fail('resource.not_found', { type: 'access', id })
    await mustFit(store, changes, now.groupId, now.tableId, now)
    await updateRow(tx, by, accessRules, id, canonical(changes))
    await tx.run(sql`UPDATE access SET version = version + 1 WHERE id = ${id}`)
    await audit(store, tx, by, 'access_changed', `group ${now.groupId}, table ${now.tableId}`, described(changes))
  })

export const deleteRule = (
  store: Uses<'db' | 'environment' | 'settings' | 'catalogue' | 'restructure'>,
  by: Administrator,
  id: number,
): Promise<void> =>
  store.restructure(async (tx) => {
    const now = await findRow((query) => tx.all(query), accessRules, id, visibleRules(store, by))
    if (!now) throw fail('resource.not_found', { type: 'access', id })
    await deleteRows(tx, by, accessRules, sql`id = ${id}`)
    await audit(store, tx, by, 'access_deleted', `group ${now.groupId}, table ${now.tableId}`)
  })

/** Checks that the filters of all groups, reworded, fit these attributes of the table. @throws `field.in_use`, naming the rules that do not */
export async function rulesMustFit(
  catalogue: Catalogue,
  tableId: number,
  attributes: ReadonlyMap<string, Attribute>,
  context: StoreContext,
  reword = (text: string): string => text,
): Promise<void> {
  const broken = new Set<string>()
  for (const ofGroup of catalogue.access.values()) {
    const rule = ofGroup.get(tableId)
    for (const text of rule ? [rule.readFilter, rule.writeFilter] : [])
      if (await whyNot(reword(text), attributes, context)) broken.add(String(rule!.id))
  }
  if (broken.size > 0)
    throw fail('field.in_use', { why: 'A read or write filter of a group names this field.' }, { meta: { access: [...broken] } })
}

async function mustFit(
  store: Uses<'context' | 'catalogue'>,
  values: Partial<AccessRule>,
  groupId: number,
  tableId: number,
  before?: AccessRule,
): Promise<Table> {
  const { tables, groups } = store.catalogue()
  const failures: Failure[] = []
  const refuse = (property: string, why: string, meta?: object) =>
    failures.push(fail('field.invalid_value', { why }, { attribute: property, ...(meta && { meta: { ...meta } }) }))
  if (groupId === ADMINISTRATORS) refuse('groupId', 'Administrators may do everything; no rule limits them.')
  else if (!groups.has(groupId)) refuse('groupId', `There is no group ${groupId}.`)
  const table = tables.get(tableId)
  if (!table) {
    refuse('tableId', `There is no table ${tableId}.`)
    throw new Failures(failures)
  }
  for (const property of ['readFilter', 'writeFilter'] as const) {
    const { [property]: text = '' } = values
    const why = await whyNot(text, table.attributes, store.context, text === before?.[property] ? undefined : limits.filter.most)
    if (why) refuse(property, why.message, { ...why.where.meta, code: why.code })
  }
  failures.push(...fieldFaults(table, values.fields ?? {}, before?.fields ?? {}))
  if (failures.length > 0) throw new Failures(failures)
  return table
}

/** What is wrong with the rights on single attributes. A field in the trash stays in the rule. */
function fieldFaults(table: Table, written: WrittenFieldRights, before: WrittenFieldRights): Failure[] {
  const [fields, path] = isAllowList(written) ? [written.allow, ['allow']] : [written, []]
  const rights = isAllowList(written) ? allowed : denied
  const known = new Set([...table.fields.map(({ name }) => name), ...nameable, ...readFieldRights(before).named.keys()])
  const met = new Set<string>()
  return Object.entries(fields).flatMap(([key, right]) => {
    const attribute = attributeNamed(key)
    const fault = faultOf(attribute, right)
    met.add(attribute)
    return fault === undefined ? [] : [fail('field.invalid_value', { why: fault }, { attribute: 'fields', path: [...path, key] })]
  })

  function faultOf(attribute: string, right: string): string | undefined {
    if (!known.has(attribute)) return `Table ${table.id} has no field ${quoted(attribute)}.`
    if (met.has(attribute)) return `${attribute} is named twice.`
    if (!rights.includes(right)) return `A field is ${rights.map((one) => `'${one}'`).join(' or ')} here${beside(rights)}.`
    const fixed = ['user_id', 'add_time', 'update_time'].includes(attribute)
    return fixed && right === 'writable' ? `${attribute} is set by the service, so it is 'read_only' at most.` : undefined
  }
}

const denied: readonly string[] = ['hidden', 'read_only'] satisfies FieldRight[]
const allowed: readonly string[] = ['writable', 'read_only'] satisfies FieldRight[]
const beside = (rights: readonly string[]): string => (rights === denied ? '; left out it is writable' : '; left out it is hidden')

/** What is wrong with the filter of a group; undefined: nothing. `most`: characters; filters that earlier versions accepted may be longer. */
async function whyNot(
  text: string,
  attributes: ReadonlyMap<string, Attribute>,
  context: StoreContext,
  most: number = limits.postedFilter.most,
): Promise<Failure | undefined> {
  if (text === '') return undefined
  try {
    await inTurns(checking(parse(text, most), { attributes, context, words: { currentUser: 1, now: context.now() } }))
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

/** With fields by name, also where they were named by id. */
const canonical = (values: Partial<AccessRule>): Partial<AccessRule> =>
  values.fields ? { ...values, fields: writeFieldRights(readFieldRights(values.fields)) } : values

/** What a rule gives and takes away; the filters and rights on fields as they are from now on. */
const described = (values: Partial<AccessRule>): string =>
  Object.entries(values)
    .flatMap(([key, value]) => {
      const of = wide[key]
      if (of === undefined) return value === true ? [key] : value === false ? [`not ${key}`] : []
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      return [text === '' || text === '{}' ? `no ${of}` : `${of} ${text}`]
    })
    .join(', ')

const wide: Readonly<Record<string, string>> = { readFilter: 'read_filter', writeFilter: 'write_filter', fields: 'fields' }
