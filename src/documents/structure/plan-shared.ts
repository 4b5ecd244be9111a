import { attributeNamed, isAllowList, readFieldRights, type WrittenFieldRights } from '../../store/model/field-rights.ts'
import { rightNames } from '../../store/model/rights.ts'
import { committed, findRow } from '../../store/ground/relation.ts'
import { accessRules, type AccessRule } from '../../store/people/access-rows.ts'
import { createFilter, deleteFilter, updateFilter } from '../../store/people/saved-filters.ts'
import { createView, deleteView, updateView } from '../../store/people/saved-views.ts'
import { createRule, deleteRule, updateRule } from '../../store/structure/access-rules.ts'
import { wordOf, type AccessPart, type FilterPart, type TablePart, type ViewPart } from './document.ts'
import type { Item, TableItem } from './inventory.ts'
import { isField, keysOf, withIds, type FindField } from './names.ts'
import { invalid } from './read-document.ts'
import { differing, type Doing, type Step } from './step.ts'

/* Saved filters, views and rules of access of a table. */

interface Planned {
  readonly changes: readonly Step[]
  readonly gone: readonly Step[]
}

/** What is done to things of one kind in a table. */
interface Acts<Part> {
  readonly what: string
  create(doing: Doing, tableId: number, part: Part): Promise<unknown>
  update(doing: Doing, tableId: number, part: Part, id: number): Promise<unknown>
  remove(doing: Doing, id: number): Promise<unknown>
}

export function planShared(tableKey: string, now: TableItem | undefined, wanted: TablePart, deletes: boolean): Planned {
  const byName = (parts: readonly { readonly name: string }[]) => keysOf(parts.map(({ name }) => name))
  const all = [
    wanted.filters && compare(filterActs, tableKey, now?.filters ?? [], wanted.filters, byName(wanted.filters)),
    wanted.views && compare(viewActs, tableKey, now?.views ?? [], wanted.views, byName(wanted.views)),
    wanted.access &&
      compare(
        accessActs,
        tableKey,
        now?.access ?? [],
        wanted.access,
        wanted.access.map(({ group }) => group),
      ),
  ].filter((one) => one !== undefined)
  return { changes: all.flatMap(({ changes }) => changes), gone: deletes ? all.flatMap(({ gone }) => gone) : [] }
}

function compare<Part extends object>(
  acts: Acts<Part>,
  tableKey: string,
  now: readonly Item<Part>[],
  wanted: readonly Part[],
  keys: readonly string[],
): Planned {
  const there = new Map(now.map((item) => [item.key, item]))
  const among = new Set(keys)
  if (among.size < keys.length) throw invalid('', `The table '${tableKey}' has two rules of one group.`)
  const says = (act: string, key: string) => `${act} the ${acts.what} '${key}' of the table '${tableKey}'`
  return {
    changes: wanted.flatMap((part, i): Step[] => {
      const key = keys[i]!
      const item = there.get(key)
      const run = (doing: Doing) => {
        const tableId = doing.ids.of('table', tableKey)
        return item ? acts.update(doing, tableId, part, item.id) : acts.create(doing, tableId, part)
      }
      if (!item) return [{ kind: 'create', says: says('create', key), run }]
      const members = differing(item.part, part)
      return members.length === 0 ? [] : [{ kind: 'change', says: `${says('change', key)}: ${members.join(', ')}`, run }]
    }),
    gone: now
      .filter(({ key }) => !among.has(key))
      .map(({ id, key }): Step => ({ kind: 'delete', says: says('delete', key), run: (doing) => acts.remove(doing, id) })),
  }
}

/** A text of the document as this installation keeps it. */
function kept({ store, ids }: Doing, tableId: number, text: string, where: string): string {
  const find: FindField = (ofTable, key) => {
    const id = ids.field(ofTable, key)
    return id === undefined ? undefined : `f${id}`
  }
  return withIds(text, tableId, where, find, store.catalogue())
}

const filterActs: Acts<FilterPart> = {
  what: 'filter',
  create: (doing, tableId, part) => createFilter(doing.store, doing.by, { tableId, ...filterOf(doing, tableId, part), userId: 0 }),
  update: (doing, tableId, part, id) => updateFilter(doing.store, doing.by, id, filterOf(doing, tableId, part)),
  remove: ({ store, by }, id) => deleteFilter(store, by, id),
}

const filterOf = (doing: Doing, tableId: number, { name, expression }: FilterPart) => ({
  title: name,
  expression: kept(doing, tableId, expression, `The filter '${name}'`),
})

const viewActs: Acts<ViewPart> = {
  what: 'view',
  create: (doing, tableId, part) => createView(doing.store, doing.by, { tableId, ...viewOf(doing, tableId, part), userId: 0 }),
  update: (doing, tableId, part, id) => updateView(doing.store, doing.by, id, viewOf(doing, tableId, part)),
  remove: ({ store, by }, id) => deleteView(store, by, id),
}

function viewOf(doing: Doing, tableId: number, part: ViewPart) {
  const { name, kind, filter = '', sort = '', columns = [], group_by = '', figure = '', span = '' } = part
  const own = (text: string) => kept(doing, tableId, text, `The view '${name}'`)
  return {
    title: name,
    kind,
    filter: own(filter),
    sort: own(sort),
    columns: columns.map((column) => ({
      ...column,
      attribute: column.attribute === '*' ? '*' : own(column.attribute),
      ...(column.after !== undefined && { after: own(column.after) }),
    })),
    groupBy: own(group_by),
    figure: own(figure),
    span,
  }
}

const accessActs: Acts<AccessPart> = {
  what: 'rule of the group',
  create: (doing, tableId, part) =>
    createRule(doing.store, doing.by, { tableId, groupId: doing.ids.of('group', part.group), ...ruleOf(doing, tableId, part, {}) }),
  async update(doing, tableId, part, id) {
    const rule = await findRow(committed(doing.store), accessRules, id)
    await updateRule(doing.store, doing.by, id, ruleOf(doing, tableId, part, lostFields(doing, tableId, rule!, part)))
  },
  remove: ({ store, by }, id) => deleteRule(store, by, id),
}

function ruleOf(doing: Doing, tableId: number, part: AccessPart, lost: Readonly<Record<string, string>>): Partial<AccessRule> {
  const where = `A rule of the group '${part.group}'`
  const own = (text: string) => kept(doing, tableId, text, where)
  const named = (some: object) =>
    Object.fromEntries([...Object.entries(some).map(([key, right]) => [own(key), right]), ...Object.entries(lost)])
  const { fields = {} } = part
  return {
    ...(Object.fromEntries(rightNames.map((right) => [right, part.rights.includes(wordOf(right))])) as Record<string, boolean>),
    readFilter: own(part.read_filter ?? ''),
    writeFilter: own(part.write_filter ?? ''),
    fields: (isAllowList(fields) ? { allow: named(fields.allow) } : named(fields)) as WrittenFieldRights,
    assignable: part.assignable === true,
  }
}

/** Rights on fields in the trash, which documents do not name: they stay, so that a restored field is hidden as it was. */
function lostFields({ store }: Doing, tableId: number, { fields }: AccessRule, part: AccessPart): Readonly<Record<string, string>> {
  if (!fields || isAllowList(fields) !== isAllowList(part.fields ?? {})) return {}
  const live = new Set(
    store
      .catalogue()
      .tables.get(tableId)!
      .fields.map(({ name }) => name),
  )
  return Object.fromEntries([...readFieldRights(fields).named].filter(([name]) => isField(attributeNamed(name)) && !live.has(name)))
}
