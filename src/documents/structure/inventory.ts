import { isDefaultWord } from '../../fields/value.ts'
import { typeSettingRows } from '../../fields/field-type.ts'
import { allRows, committed } from '../../store/ground/relation.ts'
import type { Uses } from '../../store/ground/store.ts'
import { ADMINISTRATORS, CLIENTS, MANAGERS } from '../../store/model/built-in-groups.ts'
import type { Catalogue, Field, Table } from '../../store/model/catalogue.ts'
import { isAllowList } from '../../store/model/field-rights.ts'
import { rightNames } from '../../store/model/rights.ts'
import { accessRules, type AccessRule } from '../../store/people/access-rows.ts'
import { groups } from '../../store/people/groups.ts'
import { savedFilters } from '../../store/people/saved-filters.ts'
import { savedViews, type SavedView } from '../../store/people/saved-views.ts'
import { categories } from '../../store/structure/categories.ts'
import { tables } from '../../store/structure/tables.ts'
import {
  settingName,
  wordOf,
  type AccessPart,
  type BuiltIn,
  type FieldPart,
  type FilterPart,
  type GroupPart,
  type Named,
  type TablePart,
  type ViewPart,
} from './document.ts'
import { attributeKey, keysOf, withNames, type FieldKeys } from './names.ts'

/** Something of this installation: its id, its key in documents, and its part of a document. */
export interface Item<Part> {
  readonly id: number
  readonly key: string
  readonly part: Part
}

export interface TableItem extends Item<Omit<TablePart, 'fields' | 'filters' | 'views' | 'access'>> {
  readonly sequence: number
  readonly fields: readonly Item<FieldPart>[]
  readonly filters: readonly Item<FilterPart>[]
  readonly views: readonly Item<ViewPart>[]
  readonly access: readonly Item<AccessPart>[]
}

/** What an installation has, in the order of documents. */
export interface Inventory {
  readonly categories: readonly (Item<Named> & { readonly sequence: number })[]
  readonly groups: readonly Item<GroupPart>[]
  readonly tables: readonly TableItem[]
  /** What no document can say, as sentences. */
  readonly notes: readonly string[]
}

/** Other names than those in the database, by what and id: as they will be after renames. */
export type NewNames = ReadonlyMap<string, string>
export const placeOf = (kind: 'category' | 'group' | 'table' | 'field' | 'filter' | 'view', id: number): string => `${kind} ${id}`

export const builtInIds: Readonly<Record<BuiltIn, number>> = { administrators: ADMINISTRATORS, managers: MANAGERS, clients: CLIENTS }

export async function takeInventory(store: Uses<'db' | 'catalogue'>, newNames: NewNames = new Map()): Promise<Inventory> {
  const catalogue = store.catalogue()
  const rows = await rowsIn(store, newNames)
  const rank = new Map(rows.categories.map(({ id }, i) => [id, i]))
  const rankOf = ({ categoryId }: Table) => rank.get(categoryId) ?? rank.size
  const sorted = [...catalogue.tables.values()].sort(
    (one, other) => rankOf(one) - rankOf(other) || one.sequence - other.sequence || one.id - other.id,
  )
  const named = keyed('table', sorted, newNames)
  const names = namesOf(catalogue, named, newNames)
  const notes: string[] = []
  return {
    categories: rows.categories.map(({ id, key, name, row }) => ({ id, key, sequence: row.sequence, part: { name } })),
    groups: rows.groups.map(({ id, key, name }) => {
      const builtIn = (Object.keys(builtInIds) as BuiltIn[]).find((one) => builtInIds[one] === id)
      return { id, key, part: { name, ...(builtIn && { built_in: builtIn }) } }
    }),
    tables: named.map(({ id, key, name, row }) => {
      const keys = names.fields.get(id)!
      const category = rows.categories.find((one) => one.id === row.categoryId)?.key
      const title = keys.get(`f${rows.infos.get(id)?.titleFieldId}`)
      const groupKey = (groupId: number) => rows.groups.find((one) => one.id === groupId)?.key
      const naming = { table: row, key, keys, names, newNames, notes }
      return {
        id,
        key,
        sequence: row.sequence,
        part: {
          name,
          ...(row.fullName !== '' && { full_name: row.fullName }),
          ...(category !== undefined && { category }),
          ...(title !== undefined && { title_field: title }),
          ...(rows.infos.get(id)?.uniqueFieldNames && { unique_field_names: true }),
        },
        fields: row.fields.map((field) => ({ id: field.id, key: keys.get(field.name)!, part: fieldPart(field, naming) })),
        filters: filtersOf(
          naming,
          (rows.filters.get(id) ?? []).filter(({ userId }) => userId === 0),
        ),
        views: viewsOf(
          naming,
          (rows.views.get(id) ?? []).filter(({ userId }) => userId === 0),
        ),
        access: accessOf(naming, rows.access.get(id) ?? [], groupKey),
      }
    }),
    notes,
  }
}

async function rowsIn(store: Uses<'db'>, newNames: NewNames) {
  const read = committed(store)
  return {
    categories: keyed('category', inOrder(await allRows(read, categories)), newNames),
    groups: keyed(
      'group',
      await allRows(read, groups),
      newNames,
      (one, other) => groupRank(one.id) - groupRank(other.id) || byName(one, other),
    ),
    infos: new Map((await allRows(read, tables)).map((row) => [row.id, row])),
    filters: Map.groupBy(await allRows(read, savedFilters), ({ tableId }) => tableId),
    views: Map.groupBy(await allRows(read, savedViews), ({ tableId }) => tableId),
    access: Map.groupBy(await allRows(read, accessRules), ({ tableId }) => tableId),
  }
}

interface Names {
  readonly tables: ReadonlyMap<number, string>
  readonly fields: ReadonlyMap<number, FieldKeys>
}

/** What the parts of a table need to name others. */
interface Naming {
  readonly table: Table
  readonly key: string
  readonly keys: FieldKeys
  readonly names: Names
  readonly newNames: NewNames
  readonly notes: string[]
}

function namesOf(catalogue: Catalogue, named: readonly { id: number; key: string }[], newNames: NewNames): Names {
  const fields = [...catalogue.tables.values()].map(
    (table) => [table.id, new Map(keyed('field', table.fields, newNames).map(({ key, row }) => [row.name, key]))] as const,
  )
  return { tables: new Map(named.map(({ id, key }) => [id, key])), fields: new Map(fields) }
}

type Kind = Parameters<typeof placeOf>[0]
interface Titled {
  readonly id: number
  readonly title: string
}
interface Keyed<Row> {
  readonly id: number
  readonly name: string
  readonly key: string
  readonly row: Row
}

function keyed<Row extends Titled>(
  kind: Kind,
  rows: readonly Row[],
  newNames: NewNames,
  compare: (one: Titled, other: Titled) => number = () => 0,
): Keyed<Row>[] {
  const renamed = rows.map((row) => ({ id: row.id, title: newNames.get(placeOf(kind, row.id)) ?? row.title, row })).sort(compare)
  const keys = keysOf(renamed.map(({ title }) => title))
  return renamed.map(({ id, title, row }, i) => ({ id, name: title, key: keys[i]!, row }))
}

const inOrder = <Row extends { readonly sequence: number; readonly id: number }>(rows: readonly Row[]): Row[] =>
  [...rows].sort((one, other) => one.sequence - other.sequence || one.id - other.id)

/** Lists without an order of their own stand by name, so that documents can be compared. */
const byName = (one: Titled, other: Titled): number => (one.title < other.title ? -1 : one.title > other.title ? 1 : one.id - other.id)

const groupRank = (id: number): number => Math.min(id, CLIENTS + 1)

function fieldPart(field: Field, { key, names, newNames, notes }: Naming): FieldPart {
  const { type, settings, title, section } = field
  const own = typeSettingRows.flatMap(([setting, { holds }]) => {
    const value = settings[setting]
    if (value === undefined || holds === 'options' || !type.settings.includes(setting)) return []
    return [[settingName(setting), holds === 'id' ? names.tables.get(value as number) : value]]
  })
  const options = settings.options?.filter(({ removed }) => !removed).map(({ label }) => label)
  const lost = type.target !== undefined && settings.defaultValue !== '' && !isDefaultWord(type, settings)
  if (lost) notes.push(`The default of the field '${title}' of the table '${key}' is an id, which differs between installations.`)
  return {
    name: newNames.get(placeOf('field', field.id)) ?? title,
    type: type.name,
    ...(settings.required && { required: true }),
    ...(settings.unique && { unique: true }),
    ...(settings.defaultValue !== '' && !lost && { default: settings.defaultValue }),
    ...(settings.hint !== '' && { hint: settings.hint }),
    ...(section !== '' && { section }),
    ...Object.fromEntries(own.filter(([, value]) => value !== undefined)),
    ...(options && type.settings.includes('options') && { options }),
  }
}

type FilterRow = Titled & { readonly expression: string }

function filtersOf(naming: Naming, rows: readonly FilterRow[]): Item<FilterPart>[] {
  return keyed('filter', rows, naming.newNames, byName).flatMap(({ id, key, name, row }) => {
    const expression = textOf(row.expression, naming, `The filter '${name}'`)
    return expression === undefined ? [] : [{ id, key, part: { name, expression } }]
  })
}

function viewsOf(naming: Naming, rows: readonly SavedView[]): Item<ViewPart>[] {
  const { keys } = naming
  return keyed('view', rows, naming.newNames, byName).flatMap(({ id, key, name, row }) => {
    const filter = textOf(row.filter, naming, `The view '${name}'`)
    if (filter === undefined) return []
    const keysOfSort = row.sort.split(',').filter((one) => one !== '' && attributeKey(one.replace(/^-/, ''), keys) !== undefined)
    const sort = keysOfSort.map((one) => one.replace(/[A-Za-z]\w*/, (word) => attributeKey(word, keys)!)).join(',')
    const own = (text: string) => withNames(text, naming.table, (tableId) => naming.names.fields.get(tableId)) ?? ''
    const [groupBy, figure] = [own(row.groupBy), own(row.figure)]
    const nameOf = (attribute: string) => (attribute === '*' || attribute === '' ? attribute : attributeKey(attribute, keys))
    const columns = row.columns.flatMap(({ attribute, after, ...shown }) => {
      const named = nameOf(attribute)
      const behind = after === undefined ? undefined : nameOf(after)
      return named === undefined ? [] : [{ attribute: named, ...shown, ...(behind !== undefined && { after: behind }) }]
    })
    return [
      {
        id,
        key,
        part: {
          name,
          kind: row.kind,
          ...(filter !== '' && { filter }),
          ...(sort !== '' && { sort }),
          ...(columns.length > 0 && { columns }),
          ...(groupBy !== '' && { group_by: groupBy }),
          ...(figure !== '' && { figure }),
          ...(row.span !== '' && { span: row.span }),
        },
      },
    ]
  })
}

function accessOf(naming: Naming, rows: readonly AccessRule[], groupKey: (id: number) => string | undefined): Item<AccessPart>[] {
  const found = rows.flatMap((row) => {
    const group = groupKey(row.groupId)
    if (group === undefined) return []
    const texts = [row.readFilter, row.writeFilter].map((text) => textOf(text, naming, `A rule of the group '${group}'`))
    const [readFilter, writeFilter] = texts
    if (readFilter === undefined || writeFilter === undefined) return []
    const fields = rightsOfFields(row, naming.keys)
    const part: AccessPart = {
      group,
      rights: rightNames.filter((right) => row[right]).map(wordOf),
      ...(readFilter !== '' && { read_filter: readFilter }),
      ...(writeFilter !== '' && { write_filter: writeFilter }),
      ...(fields && { fields }),
      ...(row.assignable && { assignable: true }),
    }
    return [{ id: row.id, key: group, part, rank: groupRank(row.groupId) }]
  })
  return found.sort((one, other) => one.rank - other.rank || (one.key < other.key ? -1 : 1)).map(({ id, key, part }) => ({ id, key, part }))
}

function rightsOfFields({ fields }: AccessRule, keys: FieldKeys): AccessPart['fields'] {
  if (!fields) return undefined
  const allows = isAllowList(fields)
  const entries = Object.entries<string>(allows ? fields.allow : (fields as Readonly<Record<string, string>>)).flatMap(([name, right]) => {
    const key = attributeKey(/^\d+$/.test(name) ? `f${name}` : name, keys)
    return key === undefined ? [] : [[key, right] as const]
  })
  if (entries.length === 0 && !allows) return undefined
  const named = Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
  return allows ? { allow: named } : named
}

/** Undefined, with a note, for what names a field that is gone. */
function textOf(text: string, { table, key, names, notes }: Naming, what: string): string | undefined {
  const named = withNames(text, table, (tableId) => names.fields.get(tableId))
  if (named === undefined) notes.push(`${what} of the table '${key}' names a field that does not exist any more.`)
  return named
}
