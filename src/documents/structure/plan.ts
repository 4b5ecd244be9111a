import { createCategory, deleteCategory, updateCategory } from '../../store/structure/categories.ts'
import { createGroup, deleteGroup, updateGroup } from '../../store/people/groups.ts'
import { updateFilter } from '../../store/people/saved-filters.ts'
import { updateView } from '../../store/people/saved-views.ts'
import { updateField } from '../../store/structure/fields.ts'
import { createTable, deleteTable, updateTable } from '../../store/structure/tables.ts'
import type { GroupPart, Named, StructureDocument, TablePart } from './document.ts'
import { builtInIds, placeOf, type Inventory, type Item, type NewNames, type TableItem } from './inventory.ts'
import { keysOf } from './names.ts'
import { planFields, type FieldPlan } from './plan-fields.ts'
import { planShared } from './plan-shared.ts'
import { differing, reordered, type Doing, type Step } from './step.ts'

type Kind = Parameters<typeof placeOf>[0]

interface Rename {
  readonly place: string
  readonly name: string
  readonly step: Step
}

/** What gets another name: by `was`, and groups that every installation has. */
export function planRenames(now: Inventory, wanted: StructureDocument): { readonly newNames: NewNames; readonly steps: readonly Step[] } {
  const named = namesakes('table', now.tables, wanted.tables ?? [], '')
  const renames = [
    ...namesakes('category', now.categories, wanted.categories ?? [], ''),
    ...builtInNames(now, wanted),
    ...namesakes(
      'group',
      now.groups,
      (wanted.groups ?? []).filter((part) => !part.built_in),
      '',
    ),
    ...named,
  ]
  const titles = new Map(renames.map(({ place, name }) => [place, name]))
  const keys = keysOf(now.tables.map(({ id, part }) => titles.get(placeOf('table', id)) ?? part.name))
  const tables = new Map(now.tables.map((table, i) => [keys[i]!, table]))
  for (const [i, key] of keysOf((wanted.tables ?? []).map(({ name }) => name)).entries()) {
    const table = tables.get(key)
    const part = wanted.tables![i]!
    if (!table) continue
    const of = ` of the table '${key}'`
    renames.push(...namesakes('field', table.fields, part.fields ?? [], of))
    renames.push(...namesakes('filter', table.filters, part.filters ?? [], of))
    renames.push(...namesakes('view', table.views, part.views ?? [], of))
  }
  return { newNames: new Map(renames.map(({ place, name }) => [place, name])), steps: renames.map(({ step }) => step) }
}

function namesakes(kind: Kind, now: readonly Item<Named>[], wanted: readonly Named[], of: string): Rename[] {
  const there = new Map(now.map((item) => [item.key, item]))
  return wanted.flatMap(({ name, was }) => {
    const item = was === undefined || there.has(name) ? undefined : there.get(was)
    return item ? [rename(kind, item, name, of)] : []
  })
}

const builtInNames = (now: Inventory, wanted: StructureDocument): Rename[] =>
  (wanted.groups ?? []).flatMap(({ name, built_in }) => {
    const item = now.groups.find(({ id }) => built_in !== undefined && id === builtInIds[built_in])
    return item && item.part.name !== name ? [rename('group', item, name, '')] : []
  })

function rename(kind: Kind, { id, key }: Item<unknown>, title: string, of: string): Rename {
  const acts: Readonly<Record<Kind, (doing: Doing) => Promise<void>>> = {
    category: ({ store, by }) => updateCategory(store, by, id, { title }),
    group: ({ store, by }) => updateGroup(store, by, id, { title }),
    table: ({ store, by }) => updateTable(store, by, id, { title }),
    field: ({ store, by }) => updateField(store, by, id, { title }),
    filter: ({ store, by }) => updateFilter(store, by, id, { title }),
    view: ({ store, by }) => updateView(store, by, id, { title }),
  }
  return {
    place: placeOf(kind, id),
    name: title,
    step: { kind: 'change', says: `rename the ${kind} '${key}'${of} to '${title}'`, run: acts[kind] },
  }
}

/** What brings an installation to the document. `now`: as it is after the renames. Nothing goes without `deletes`. */
export function planChanges(now: Inventory, wanted: StructureDocument, deletes: boolean): Step[] {
  const tables = (wanted.tables ?? []).map((part, i, all) => ({ part, key: keysOf(all.map(({ name }) => name))[i]! }))
  const there = new Map(now.tables.map((table) => [table.key, table]))
  const fields = tables.map(({ key, part }) => planFields(key, there.get(key), part, deletes))
  const names = tables.map(({ key, part }, i) => planNames(key, there.get(key), part, fields[i]!))
  const shared = tables.map(({ key, part }) => planShared(key, there.get(key), part, deletes))
  const categories = planCategories(now, wanted, deletes)
  const groups = planGroups(now, wanted, deletes)
  const gone = leaving(now.tables, wanted.tables && new Set(tables.map(({ key }) => key)), deletes, 'table', ' (to the trash)', deleteTable)
  return [
    ...categories.changes,
    ...groups.changes,
    ...tables.flatMap(({ key, part }) => planTable(key, there.get(key), part)),
    ...tablesInOrder(now, tables),
    ...names.flatMap(({ first }) => first),
    ...fields.flatMap(({ changes }) => changes),
    ...tables.flatMap(({ key, part }) => planTitle(key, there.get(key), part)),
    ...shared.flatMap((one) => one.gone),
    ...shared.flatMap((one) => one.changes),
    ...fields.flatMap((one) => one.gone),
    ...names.flatMap(({ last }) => last),
    ...fields.flatMap(({ order }) => order),
    ...gone,
    ...groups.gone,
    ...categories.gone,
  ]
}

function leaving(
  now: readonly Item<unknown>[],
  wanted: ReadonlySet<string> | undefined,
  deletes: boolean,
  kind: Kind,
  where: string,
  remove: (store: Doing['store'], by: Doing['by'], id: number) => Promise<void>,
): Step[] {
  if (!wanted || !deletes) return []
  return now
    .filter(({ key }) => !wanted.has(key))
    .map(({ id, key }) => ({ kind: 'delete', says: `delete the ${kind} '${key}'${where}`, run: ({ store, by }) => remove(store, by, id) }))
}

function planCategories(now: Inventory, { categories }: StructureDocument, deletes: boolean) {
  if (!categories) return { changes: [], gone: [] }
  const keys = keysOf(categories.map(({ name }) => name))
  const there = new Set(now.categories.map(({ key }) => key))
  const last = Math.max(0, ...now.categories.map(({ sequence }) => sequence))
  const coming = categories.map(({ name }, i) => ({ name, key: keys[i]! })).filter(({ key }) => !there.has(key))
  const order = reordered([...there, ...coming.map(({ key }) => key)], keys)
  const created = coming.map(({ key, name }, i): Step => ({
    kind: 'create',
    says: `create the category '${key}'`,
    run: async ({ store, by, ids }) =>
      ids.set('category', key, await createCategory(store, by, { title: name, sequence: Math.min(last + i + 1, Number.MAX_SAFE_INTEGER) })),
  }))
  const inOrder: Step = {
    kind: 'change',
    says: 'put the categories in order',
    async run({ store, by, ids }) {
      for (const [i, key] of order!.entries()) await updateCategory(store, by, ids.of('category', key), { sequence: i + 1 })
    },
  }
  return {
    changes: [...created, ...(order ? [inOrder] : [])],
    gone: leaving(now.categories, new Set(keys), deletes, 'category', '', deleteCategory),
  }
}

function planGroups(now: Inventory, { groups }: StructureDocument, deletes: boolean) {
  if (!groups) return { changes: [], gone: [] }
  const keys = keysOf(groups.map(({ name }) => name))
  const there = new Set(now.groups.map(({ key }) => key))
  const coming = groups.flatMap((part, i): Step[] => (there.has(keys[i]!) ? [] : [groupCreated(keys[i]!, part)]))
  const among = new Set(keys)
  const others = now.groups.filter(({ part }) => part.built_in === undefined)
  return { changes: coming, gone: leaving(others, among, deletes, 'group', '', deleteGroup) }
}

const groupCreated = (key: string, { name }: GroupPart): Step => ({
  kind: 'create',
  says: `create the group '${key}'`,
  run: async ({ store, by, ids }) => ids.set('group', key, await createGroup(store, by, { title: name })),
})

export function planTable(key: string, now: TableItem | undefined, { name: title, full_name: fullName = '', ...part }: TablePart): Step[] {
  const { category, unique_field_names: uniqueFieldNames = false } = part
  const info = ({ ids }: Doing) => ({
    title,
    fullName,
    categoryId: category === undefined ? 0 : ids.of('category', category),
    uniqueFieldNames,
  })
  if (!now) {
    const run = async (doing: Doing) => doing.ids.set('table', key, await createTable(doing.store, doing.by, info(doing)))
    return [{ kind: 'create', says: `create the table '${key}'`, run }]
  }
  const { full_name, category: before, unique_field_names } = now.part
  // Names that must differ come when the fields are what they become: planNames.
  const unique = uniqueFieldNames && unique_field_names === true
  const wanted = { full_name: fullName, category, unique_field_names: unique }
  const members = differing({ full_name, category: before, unique_field_names }, wanted)
  if (members.length === 0) return []
  const run = (doing: Doing) => updateTable(doing.store, doing.by, now.id, { ...info(doing), uniqueFieldNames: unique })
  return [{ kind: 'change', says: `change the table '${key}': ${members.join(', ')}`, run }]
}

/** Names of fields that must differ: while some come and others go, they may repeat. */
function planNames(key: string, now: TableItem | undefined, { unique_field_names: isWanted }: TablePart, { changes, gone }: FieldPlan) {
  const isSo = now?.part.unique_field_names === true
  const mayRepeat = gone.length > 0 && changes.some(({ kind }) => kind === 'create')
  if (!now || !isWanted || (isSo && !mayRepeat)) return { first: [], last: [] }
  const put = (says: string, uniqueFieldNames: boolean): Step => ({
    kind: 'change',
    says,
    run: ({ store, by }) => updateTable(store, by, now.id, { uniqueFieldNames }),
  })
  return {
    first: isSo ? [put(`let names of fields of the table '${key}' repeat meanwhile`, false)] : [],
    last: [put(isSo ? `let them repeat no more in the table '${key}'` : `change the table '${key}': unique_field_names`, true)],
  }
}

/** A new table has its first text as title until this step. */
export function planTitle(key: string, now: TableItem | undefined, { title_field: title }: TablePart): Step[] {
  if (title === undefined || now?.part.title_field === title) return []
  return [
    {
      kind: 'change',
      says: now ? `make '${title}' the title of the table '${key}'` : '',
      async run({ store, by, ids }) {
        const id = ids.of('table', key)
        const field = ids.field(id, title)
        if (store.catalogue().tables.get(id)!.titleFieldId !== field) await updateTable(store, by, id, { titleFieldId: field ?? -1 })
      },
    },
  ]
}

/** Within each category. New tables, and those that come from another category, are put where the document has them. */
function tablesInOrder(now: Inventory, wanted: readonly { readonly key: string; readonly part: TablePart }[]): Step[] {
  const category = new Map(now.tables.map(({ key, part }) => [key, part.category]))
  const sequences = new Map(now.tables.map(({ key, sequence }) => [key, sequence]))
  for (const { key, part } of wanted) category.set(key, part.category)
  const all = [...category.keys()]
  return [...Map.groupBy(all, (key) => category.get(key))].flatMap(([of, keys]): Step[] => {
    const last = Math.max(0, ...keys.map((key) => sequences.get(key) ?? 0))
    const place = (key: string) => sequences.get(key) ?? last + 1
    const present = keys.toSorted((one, other) => place(one) - place(other))
    const order = reordered(
      present,
      wanted.filter(({ part }) => part.category === of).map(({ key }) => key),
    )
    if (!order) return []
    return [
      {
        kind: 'change',
        says: of === undefined ? 'put the tables without a category in order' : `put the tables of the category '${of}' in order`,
        async run({ store, by, ids }) {
          for (const [i, key] of order.entries()) await updateTable(store, by, ids.of('table', key), { sequence: i + 1 })
        },
      },
    ]
  })
}
