import { recordsOf } from '../store/model/catalogue.ts'
import type { Uses } from '../store/ground/store.ts'
import type { Intended } from './intend.ts'
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
