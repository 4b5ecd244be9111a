import { name, sql } from '../../sql/sql.ts'
import type { Transaction } from '../ground/db.ts'
import { updateRow } from '../ground/resource-rows.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { recordsOf, type Field } from '../model/catalogue.ts'
import { createUnique, dropUnique, numberRecords } from './columns.ts'
import { convertField, rewriteKeys } from './convert-field.ts'
import { fieldRows } from './field-rows.ts'
import { hasOtherLabels } from './renamed-options.ts'

export interface ConvertOptions {
  /** Values that do not fit the new type are cut to fit or emptied instead of refused. */
  readonly lossy?: boolean
  /** Instead of the conversion of all values in this transaction: a job has converted them before. */
  readonly takeOver?: (tx: Transaction, before: Field, after: Field) => Promise<void>
  /** Called before anything is changed; what it throws undoes the change. `key`: see convert-by-key.ts. */
  readonly foresee?: (before: Field, after: Field, key: Field | undefined) => void
}

interface Changing extends Pick<ConvertOptions, 'lossy' | 'takeOver'> {
  readonly converts: boolean
  readonly key: Field | undefined
  readonly by: Caller
}

/** Changes the column of a field, its values and its indexes. */
export async function changeColumns(
  store: Uses<'db' | 'context'>,
  tx: Transaction,
  before: Field,
  after: Field,
  { converts, lossy = false, by, key, takeOver }: Changing,
): Promise<void> {
  const { tableId, id } = after
  if (converts && takeOver) await takeOver(tx, before, after)
  else if (converts) await convertField(store, tx, before, after, { lossy, by, key })
  else if (hasOtherLabels(before, after)) await rewriteKeys(store, tx, after)
  if (converts && after.type.assigned) {
    await createUnique(tx, store.db.dialect, tableId, after)
    await dropUnique(tx, store.db.dialect, tableId, after.column)
    const [row] = await tx.all(sql`SELECT coalesce(max(${name(after.column)}), 0) FROM ${name(recordsOf(tableId))}`)
    const last = await numberRecords(store, tx, after, Number(row![0]), by)
    await updateRow(tx, by, fieldRows, id, {}, { number_next: last })
  }
  const was = before.settings.unique && !converts
  if (was && !after.settings.unique) await dropUnique(tx, store.db.dialect, tableId, before.column)
  if (!was && after.settings.unique) await createUnique(tx, store.db.dialect, tableId, after)
}
