import type { Attribute, Stored } from '../../fields/field-type.ts'
import type { Dialect } from '../../sql/dialect.ts'
import type { Act, Held } from '../ground/changes.ts'
import type { Transaction } from '../ground/db.ts'
import type { Caller } from '../model/access.ts'
import { filesHeld, noFiles } from '../records/images.ts'

/* What structure does to whole columns, told to the ledgers in parts: nothing where none asks for images. */

type Told = Pick<Attribute, 'name' | 'column' | 'type' | 'settings'>

export interface ColumnChange {
  readonly tableId: number
  readonly act: Act
  readonly by: Caller
  readonly from: Told
  /** Undefined: the field is erased. */
  readonly to: Told | undefined
}

/** What became of the values of one field in some records. Call it before the change where that deletes files. */
export async function tellOfColumn(
  tx: Transaction,
  dialect: Dialect,
  { tableId, act, by, from, to }: ColumnChange,
  rows: readonly { readonly id: number; readonly before: Stored; readonly after: Stored }[],
): Promise<void> {
  if (!tx.images || rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  const files = from.type.files ? await filesHeld(tx, dialect, tableId, ids) : undefined
  const filesOf = (id: number, { name }: Told): Held['files'] => {
    const own = files?.get(id)?.get(name)
    return own ? new Map([[name, own]]) : noFiles
  }
  const held = (one: Told, value: Stored, id: number): Held => ({
    values: new Map([[one.name, value]]),
    attributes: new Map([[one.name, one]]),
    files: one.type.files ? filesOf(id, one) : noFiles,
  })
  await tx.changedNow(
    rows.map(({ id, before, after }) => ({
      tableId,
      recordId: id,
      change: 0,
      act,
      by,
      image: { before: held(from, before, id), after: to ? held(to, after, id) : nothing },
    })),
  )
}

const nothing: Held = { values: new Map(), attributes: new Map(), files: noFiles }
