import { fail } from '../../errors.ts'
import { fold } from '../../fields/fold.ts'
import { limits } from '../../limits.ts'
import type { Administrator } from '../../store/catalogue/administrator.ts'
import { inOneTransaction } from '../../store/catalogue/in-one-transaction.ts'
import type { Store } from '../../store/ground/store.ts'
import { grant } from '../../store/model/access.ts'
import type { Table } from '../../store/model/catalogue.ts'
import { copyRecords } from '../../store/records/copy-records.ts'
import { updateField } from '../../store/structure/fields.ts'
import { deleteTable, recordCount, updateTable, type OfFields, type TableInfo } from '../../store/structure/tables.ts'
import type { FieldPart, TablePart } from './document.ts'
import { takeInventory } from './inventory.ts'
import { planTable, planTitle } from './plan.ts'
import { planFields } from './plan-fields.ts'
import { planShared } from './plan-shared.ts'
import { idsIn, type Doing, type Step } from './step.ts'

export interface CopyOptions {
  /** What of the copy is not as in the table. Default of its name: that of the table and `(copy)`. */
  readonly values?: Partial<TableInfo & OfFields>
  /** Also the shared filters and views. */
  readonly withViews?: boolean
  readonly withRecords?: boolean
  /** The most records that are copied. */
  readonly most?: number
  readonly progress?: (records: number) => Promise<void>
}

/** No document has a name like this. */
const COPY = '\0copy'

/**
 * Copies a table: fields with their options, order and defaults, and the rules of access, so that each group has the rights on the copy that it
 * has on the table. A copy with records has its rules last: until then, only administrators see it. If copying the records fails, the
 * copy goes to the trash. @throws `table.not_found`, `table.too_many_records`
 */
export async function copyTable(
  store: Store,
  by: Administrator,
  tableId: number,
  { withRecords = false, most = Infinity, progress, ...options }: CopyOptions = {},
): Promise<{ readonly id: number; readonly records: number }> {
  if (!store.catalogue().tables.has(tableId)) throw fail('table.not_found', { table: tableId })
  if (withRecords && (await recordCount(store, tableId)) > most) throw fail('table.too_many_records', { table: tableId, most })
  const { id, rules } = await copyStructure(store, by, tableId, { ...options, withRecords })
  if (!withRecords) return { id, records: 0 }
  try {
    const { tables } = store.catalogue()
    const into = grant(['create', 'bulk'], id, by, store.catalogue())
    const records = await copyRecords(store, tables.get(tableId)!, into, progress)
    await rules(store)
    return { id, records }
  } catch (error) {
    await deleteTable(store, by, id)
    throw error
  }
}

async function copyStructure(store: Store, by: Administrator, tableId: number, options: Omit<CopyOptions, 'most' | 'progress'>) {
  const { withViews = false, withRecords = false } = options
  const { title, ...others } = options.values ?? {}
  return inOneTransaction(store, async (within) => {
    const inventory = await takeInventory(within)
    const table = within.catalogue().tables.get(tableId)
    const item = inventory.tables.find(({ id }) => id === tableId)
    if (!table || !item) throw fail('table.not_found', { table: tableId })
    const part: TablePart = {
      ...item.part,
      name: title ?? freeTitle(within, table),
      fields: item.fields.map((field, i) => fieldOf(field.part, table, i, item.key)),
      ...(withViews && { filters: item.filters.map((one) => one.part), views: item.views.map((one) => one.part) }),
    }
    const doing: Doing = { store: within, by, ids: idsIn(inventory) }
    const run = async (steps: readonly Step[], on = doing) => {
      for (const step of steps) await step.run(on)
    }
    await run(planTable(COPY, undefined, part))
    await run(planFields(COPY, undefined, part, false).changes)
    await run(planTitle(COPY, undefined, part))
    const id = doing.ids.of('table', COPY)
    await withdrawOptions(doing, table, id)
    if (Object.keys(others).length > 0) await updateTable(within, by, id, others)
    await run(planShared(COPY, undefined, part, false).changes)
    const access = planShared(COPY, undefined, { name: part.name, access: item.access.map((one) => one.part) }, false).changes
    if (!withRecords) await run(access)
    const rules = (outer: Store) => inOneTransaction(outer, (later) => run(access, { ...doing, store: later }))
    return { id, rules }
  })
}

/** With the options that were removed too, which records may have; and a default that is the id of a record of another table. */
function fieldOf(part: FieldPart, table: Table, place: number, key: string): FieldPart {
  const { defaultValue, options, referenceTableId } = table.fields[place]!.settings
  const refers = part['reference_table'] === key && referenceTableId === table.id
  return {
    ...part,
    ...(part.options && options && { options: withRemoved(options) }),
    ...(part.default === undefined && defaultValue !== '' && !refers && { default: defaultValue }),
    ...(refers && { reference_table: COPY }),
  }
}

type Options = NonNullable<Table['fields'][number]['settings']['options']>

/** Each label once, as options of one field must be. */
function withRemoved(options: Options): string[] {
  const labels = new Map<string, string>()
  for (const { label } of [...options.filter(({ removed }) => !removed), ...options.filter(({ removed }) => removed)])
    if (!labels.has(fold(label))) labels.set(fold(label), label)
  return [...labels.values()]
}

async function withdrawOptions({ store, by }: Doing, from: Table, id: number): Promise<void> {
  for (const [i, { settings }] of from.fields.entries()) {
    const { options } = settings
    if (!options?.some(({ removed }) => removed)) continue
    const live = options.filter(({ removed }) => !removed).map(({ label }) => ({ label }))
    await updateField(store, by, store.catalogue().tables.get(id)!.fields[i]!.id, { options: live })
  }
}

function freeTitle(store: Store, { title }: Table): string {
  const taken = new Set([...store.catalogue().tables.values()].map((one) => one.title))
  for (let n = 1; ; n++) {
    const end = n === 1 ? ' (copy)' : ` (copy ${n})`
    const free = `${[...title].slice(0, limits.text.most - end.length).join('')}${end}`
    if (!taken.has(free)) return free
  }
}
