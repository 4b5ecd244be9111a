import { view, type Caller } from '../store/model/access.ts'
import { recordsOf } from '../store/model/catalogue.ts'
import type { Uses } from '../store/ground/store.ts'
import type { Intended } from './intend.ts'
import { sameText } from './named-records.ts'
import type { Plan } from './plan.ts'
import { Unfit } from './unfit.ts'

/* What lines say of the records beside their fields: the ids that they get, or which ones they change. */

/** What is asked for; not both. */
export interface LinesAre {
  readonly keepIds?: boolean
  /** A unique field, by its attribute or name. */
  readonly updateBy?: string
}

/** @throws Unfit */
export async function linesAre(
  store: Uses<'db' | 'catalogue'>,
  by: Caller,
  tableId: number | undefined,
  intended: readonly Intended[],
  { keepIds, updateBy }: LinesAre,
): Promise<Pick<Plan, 'ids' | 'updateBy'>> {
  if (updateBy === undefined) return keepIds === true ? { ids: await idColumn(store, tableId, intended) } : {}
  if (keepIds === true)
    throw new Unfit('Lines give records their ids, or change the records that they name: not both.', { of: 'update_by' }, BOTH)
  return { updateBy: keyAttribute(store, by, tableId, intended, updateBy) }
}
const BOTH = '--keep-ids and --update-by do not go together.'

/** Columns that are no fields, or that say what only a new record takes: who made it, and when. */
export const noFields = ({ keepIds, updateBy }: LinesAre, header: readonly string[]): readonly string[] =>
  (keepIds === true ? ['id'] : updateBy === undefined ? [] : ORIGIN).filter((one) => header.includes(one))
const ORIGIN = ['user_id', 'add_time']

/**
 * The column with the ids that the records of an import get. The table is made by the import, or never had a record: so no id is that of a
 * record that is gone, with its history.
 */
async function idColumn(store: Uses<'db'>, tableId: number | undefined, intended: readonly Intended[]): Promise<NonNullable<Plan['ids']>> {
  const found = intended.find(({ header }) => header === 'id')
  if (!found) throw new Unfit("The file has no column 'id'.", { of: 'keep_ids' })
  if (tableId !== undefined) {
    const table = recordsOf(tableId)
    const [last] = await store.db.read(...store.db.dialect.lastId(table))
    if (Number(last?.[0]?.[0] ?? 0) > 0) throw new Unfit('Ids are kept only in a table that has never had a record.', { of: 'keep_ids' })
  }
  return { header: found.header, index: found.index }
}

/** The unique field by whose values lines change records that are there, as far as the caller sees it. */
function keyAttribute(
  store: Uses<'catalogue'>,
  by: Caller,
  tableId: number | undefined,
  intended: readonly Intended[],
  named: string,
): NonNullable<Plan['updateBy']> {
  const at = { of: 'update_by' } as const
  const catalogue = store.catalogue()
  const table = tableId === undefined ? undefined : catalogue.tables.get(tableId)
  if (!table) throw new Unfit('Only records of a table that is there can be changed.', at)
  const { attributes } = view(table, by, catalogue)
  const fields = table.fields.filter(({ name }) => attributes.has(name))
  const field = fields.find(({ name }) => name === named) ?? fields.find(({ title }) => sameText(title, named))
  if (!field) throw new Unfit(`The table '${table.title}' has no field '${named}'.`, at)
  if (!field.settings.unique) throw new Unfit(`The field '${field.title}' is not unique, so it cannot name records.`, at)
  if (!intended.some(({ becomes }) => becomes && 'attribute' in becomes && becomes.attribute === field.name))
    throw new Unfit(`The file has no column for the field '${field.title}'.`, at)
  return field.name
}
