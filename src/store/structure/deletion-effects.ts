import { Failure, Failures, fail, type ErrorCode } from '../../errors.ts'
import { fold } from '../../fields/fold.ts'
import { foldingOptions, idsOfLabels } from '../../fields/forms/options.ts'
import { inTimeOf } from '../../filter/patience.ts'
import { comparedWith } from '../../filter/rename-options.ts'
import { limits } from '../../limits.ts'
import { anyOf, constant, join, name, sql, type Sql } from '../../sql/sql.ts'
import type { Administrator } from '../catalogue/administrator.ts'
import { fieldsIn } from '../catalogue/hidden-names.ts'
import { inList } from '../catalogue/visible.ts'
import { allRows, committed } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import { CLIENTS } from '../model/built-in-groups.ts'
import { recordsOf, type Field, type Table } from '../model/catalogue.ts'
import { readFieldRights } from '../model/field-rights.ts'
import { accessRules, type AccessRule } from '../people/access-rows.ts'
import { groups } from '../people/groups.ts'
import { savedFilters } from '../people/saved-filters.ts'
import { savedViews } from '../people/saved-views.ts'
import { inTurns } from '../scheduling/others-turn.ts'
import { rulesMustFit } from './access-rules.ts'
import { findField } from './fields.ts'
import { recordCount } from './tables.ts'

/* What goes or stops working when a table, a field or a group is deleted. Only administrators delete them, so everything is named. */

type Used = Uses<'db' | 'positions' | 'catalogue' | 'context'>

/** Where a rule of access may name a field. */
export const ruleParts = ['read_filter', 'write_filter', 'fields'] as const
type RulePart = (typeof ruleParts)[number]

/**
 * Something that goes with it, or names it. `records`: that refer by this field. `groupId`: whose rule it is; `namedIn`: where it names the field.
 * `options`: those of the field with which its filters compare it, removed ones too.
 */
export interface Affected {
  readonly type: 'field' | 'filter' | 'view' | 'access' | 'webhook'
  readonly id: number
  /** 0: of no single table. */
  readonly tableId: number
  readonly title: string
  readonly records?: number
  readonly groupId?: number
  readonly namedIn?: readonly RulePart[]
  readonly options?: readonly number[]
}

export interface DeletionEffects {
  /** Live records of a table; for a field, those that are filled in. */
  readonly records: number
  readonly files: number
  /** Of the files. */
  readonly bytes: number
  /** Records elsewhere that refer to records of the table. */
  readonly references: number
  /** Of a group, archived ones too. */
  readonly users: number
  readonly affected: readonly Affected[]
  /** Why it would be refused now. */
  readonly refused: ErrorCode | undefined
}

const nothing: DeletionEffects = { records: 0, files: 0, bytes: 0, references: 0, users: 0, affected: [], refused: undefined }

export async function effectsOfTable(store: Used, by: Administrator, id: number): Promise<DeletionEffects> {
  const { tables } = store.catalogue()
  const table = tables.get(id)
  if (!table) throw fail('table.not_found', { table: id })
  const referring = [...tables.values()].flatMap((one) => (one.id === id ? [] : { table: one, fields: fieldsTo(one, id) }))
  const affected: Affected[] = []
  for (const { table: one, fields } of referring) {
    const counts = fields.length === 0 ? [] : await filledIn(store, by, one, fields)
    for (const [i, field] of fields.entries())
      affected.push({ type: 'field', id: field.id, tableId: one.id, title: field.title, records: counts[i]! })
  }
  affected.push(
    ...(await savedOf(
      store,
      table,
      table.fields.map((field) => field.id),
      true,
    )),
  )
  affected.push(...(await rulesOn(store, sql`table_id = ${id}`)))
  affected.push(...(await hooksOn(store, id, () => true)))
  const references = affected.reduce((sum, { records = 0 }) => sum + records, 0)
  return { ...nothing, ...(await filesOf(store, sql`table_id = ${id}`)), records: await recordCount(store, id), references, affected }
}

export async function effectsOfField(store: Used, by: Administrator, id: number): Promise<DeletionEffects> {
  const { tables } = store.catalogue()
  const table = [...tables.values()].find((one) => findField(store, id, one.id))
  if (!table) throw fail('resource.not_found', { type: 'field', id })
  const field = findField(store, id, table.id)!
  const [records = 0] = await filledIn(store, by, table, [field])
  const names = (text: string) => fieldsIn(text)?.has(id) === true
  const compared = await comparedOptions(field)
  const affected = [
    ...(await rulesOn(store, sql`table_id = ${table.id}`, partsNaming(field), compared)),
    ...(await savedOf(store, table, [id], false, compared)),
    ...(await hooksOn(store, undefined, names, compared)),
  ]
  const left = new Map([...table.attributes].filter(([key]) => key !== field.name))
  const refused = await codeOf(() => rulesMustFit(store.catalogue(), table.id, left, store.context))
  return { ...nothing, ...(await filesOf(store, sql`field_id = ${id}`)), records, affected, refused }
}

export async function effectsOfGroup(store: Used, _: Administrator, id: number): Promise<DeletionEffects> {
  const [group] = await allRows(committed(store), groups, sql`id = ${id}`)
  if (!group) throw fail('resource.not_found', { type: 'group', id })
  const [row] = await committed(store)(sql`SELECT count(*) FROM users WHERE group_id = ${id}`)
  const users = Number(row![0])
  const affected = await rulesOn(store, sql`group_id = ${id}`)
  return { ...nothing, users, affected, refused: id <= CLIENTS ? 'group.built_in' : users > 0 ? 'group.in_use' : undefined }
}

const fieldsTo = ({ fields }: Table, id: number): Field[] =>
  fields.filter(({ type, settings }) => type.target === 'record' && settings.referenceTableId === id)

/** The records in which each of the fields has a value, in one pass. */
async function filledIn(store: Used, by: Administrator, table: Table, fields: readonly Field[]): Promise<number[]> {
  const conditions = fields.map(({ column, type }) => sql`${name(column)} <> ${constant(type.empty)}`)
  const inTime = inTimeOf(table.attributes, conditions, store.db.dialect, true)
  const sums = conditions.map((one) => sql`coalesce(sum(CASE WHEN ${one} THEN 1 ELSE 0 END), 0)`)
  const where = join([...(inTime ? [inTime] : []), sql`(${anyOf(conditions)})`], ' AND ')
  const [rows] = await store.db.readAside(by, sql`SELECT ${join(sums, ', ')} FROM ${name(recordsOf(table.id))} WHERE ${where}`)
  return rows![0]!.map(Number)
}

async function filesOf(store: Used, which: Sql): Promise<Pick<DeletionEffects, 'files' | 'bytes'>> {
  const [row] = await committed(store)(sql`SELECT count(*), coalesce(sum(size), 0) FROM files WHERE ${which}`)
  return { files: Number(row![0]), bytes: Number(row![1]) }
}

/** Saved filters and views that name one of the fields, wherever they are; with `all` those of the table too. */
async function savedOf(
  store: Used,
  table: Table,
  fieldIds: readonly number[],
  all: boolean,
  compared: Compared = noOptions,
): Promise<Affected[]> {
  const named = inList(store.db.dialect, 'field_id', [...fieldIds])
  const live = inList(store.db.dialect, 'table_id', [...store.catalogue().tables.keys()])
  const which = (noted: Sql) => sql`(${noted} OR table_id = ${table.id}) AND ${live}`
  const filterNotes = sql`id IN (SELECT filter_id FROM saved_filter_fields WHERE ${named})`
  const viewNotes = sql`id IN (SELECT view_id FROM saved_view_fields WHERE ${named})`
  const ids = new Set(fieldIds)
  const words = (text: string) => [...text.matchAll(/\bf(\d+)\b/g)].some(([, id]) => ids.has(Number(id)))
  const filters = (await allRows(committed(store), savedFilters, which(filterNotes))).filter(
    (row) => (all && row.tableId === table.id) || [...(fieldsIn(row.expression) ?? [])].some((id) => ids.has(id)),
  )
  const views = (await allRows(committed(store), savedViews, which(viewNotes))).filter(
    (row) =>
      (all && row.tableId === table.id) ||
      [...(fieldsIn(row.filter) ?? [])].some((id) => ids.has(id)) ||
      words([row.sort, row.groupBy, row.figure, ...row.columns.map(({ attribute, hidden }) => (hidden ? '' : attribute))].join(' ')),
  )
  return [
    ...filters.map(({ id, tableId, title, expression }): Affected => ({ type: 'filter', id, tableId, title, ...compared(expression) })),
    ...views.map(({ id, tableId, title, filter }): Affected => ({ type: 'view', id, tableId, title, ...compared(filter) })),
  ]
}

/** `naming`: where a rule names a field; then rules that do not are left out. */
async function rulesOn(
  store: Used,
  which: Sql,
  naming?: (rule: AccessRule) => readonly RulePart[],
  compared: Compared = noOptions,
): Promise<Affected[]> {
  const { tables } = store.catalogue()
  const rules = await allRows(committed(store), accessRules, which)
  const titles = new Map((await allRows(committed(store), groups)).map(({ id, title }) => [id, title]))
  return rules.flatMap((rule) => {
    const { id, tableId, groupId, readFilter, writeFilter } = rule
    const namedIn = naming?.(rule)
    if (!tables.has(tableId) || namedIn?.length === 0) return []
    return [
      {
        type: 'access',
        id,
        tableId,
        title: titles.get(groupId) ?? '',
        groupId,
        ...(namedIn && { namedIn }),
        ...compared(readFilter, writeFilter),
      },
    ]
  })
}

const partsNaming =
  ({ id, name }: Field) =>
  ({ readFilter, writeFilter, fields }: AccessRule): RulePart[] => {
    const names = { read_filter: fieldsIn(readFilter)?.has(id), write_filter: fieldsIn(writeFilter)?.has(id), fields: readFieldRights(fields).named.has(name) } // prettier-ignore
    return ruleParts.filter((part) => names[part] === true)
  }

/** Webhooks of the table, or whose filter names the field. Their addresses may hold secrets. */
async function hooksOn(
  store: Used,
  tableId: number | undefined,
  names: (filter: string) => boolean,
  compared: Compared = noOptions,
): Promise<Affected[]> {
  const which = tableId === undefined ? sql`filter <> ''` : sql`table_id = ${tableId}`
  const rows = await committed(store)(sql`SELECT id, table_id, filter FROM webhooks WHERE ${which} ORDER BY id`)
  return rows
    .filter(([, , filter]) => names(String(filter)))
    .map(([id, of, filter]) => ({ type: 'webhook', id: Number(id), tableId: Number(of), title: '', ...compared(String(filter)) }))
}

/** The options with which filters compare a field. */
type Compared = (...filters: readonly string[]) => Pick<Affected, 'options'>

const noOptions: Compared = () => ({})

async function comparedOptions({ name, type, settings }: Field): Promise<Compared> {
  if (!settings.options) return noOptions
  await inTurns(foldingOptions(settings))
  const valuesOf = (text: string): readonly string[] => {
    try {
      return text === '' ? [] : comparedWith(text, name, limits.postedFilter.most)
    } catch (error) {
      // Earlier versions accepted filters that cannot be parsed. Nothing can use them.
      if (error instanceof Failure) return []
      throw error
    }
  }
  return (...filters) => {
    const values = filters.flatMap(valuesOf)
    const labels = type.kind === 'set' ? values.flatMap((value) => value.split(/\r?\n/)) : values
    const options = idsOfLabels(settings, labels.map(fold)).filter((id) => id !== 0)
    return options.length === 0 ? {} : { options }
  }
}

async function codeOf(work: () => Promise<void>): Promise<ErrorCode | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.code
    if (error instanceof Failures) return error.failures[0]!.code
    throw error
  }
}

/** How many of each type there are, and the first of all. */
export function summary({ affected }: DeletionEffects): {
  readonly counts: Readonly<Record<Affected['type'], number>>
  readonly listed: readonly Affected[]
} {
  const counts = { field: 0, filter: 0, view: 0, access: 0, webhook: 0 }
  for (const { type } of affected) counts[type]++
  return { counts, listed: affected.slice(0, limits.affectedListed.most) }
}
