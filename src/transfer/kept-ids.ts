import { recordsOf } from '../store/model/catalogue.ts'
import type { Uses } from '../store/ground/store.ts'
import type { Intended } from './intend.ts'
import { sameText } from './named-records.ts'
import type { Plan } from './plan.ts'
import { Unfit } from './unfit.ts'

/**
 * The column with the ids that the records of an import get. The table is made by the import, or never had a record: so no id is that of a
 * record that is gone, with its history. @throws Unfit
 */
export async function idColumn(
  store: Uses<'db'>,
  tableId: number | undefined,
  intended: readonly Intended[],
): Promise<NonNullable<Plan['ids']>> {
  const found = intended.find(({ header }) => header === 'id')
  if (!found) throw new Unfit("The file has no column 'id'.")
  if (tableId !== undefined) {
    const table = recordsOf(tableId)
    const [last] = await store.db.read(...store.db.dialect.lastId(table))
    if (Number(last?.[0]?.[0] ?? 0) > 0) throw new Unfit('Ids are kept only in a table that has never had a record.')
  }
  return { header: found.header, index: found.index }
}

/** The unique field by whose values lines change records that are there. @throws Unfit */
export function keyAttribute(
  { catalogue }: Uses<'catalogue'>,
  tableId: number | undefined,
  intended: readonly Intended[],
  named: string,
): NonNullable<Plan['updateBy']> {
  const table = tableId === undefined ? undefined : catalogue().tables.get(tableId)
  if (!table) throw new Unfit('Only records of a table that is there can be changed.')
  const field = table.fields.find(({ name }) => name === named) ?? table.fields.find(({ title }) => sameText(title, named))
  if (!field) throw new Unfit(`The table '${table.title}' has no field '${named}'.`)
  if (!field.settings.unique) throw new Unfit(`The field '${field.title}' is not unique, so it cannot name records.`)
  if (!intended.some(({ becomes }) => becomes && 'attribute' in becomes && becomes.attribute === field.name))
    throw new Unfit(`The file has no column for the field '${field.title}'.`)
  return field.name
}
