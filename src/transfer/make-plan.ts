import type { Administrator } from '../store/catalogue/administrator.ts'
import type { Field } from '../store/model/catalogue.ts'
import { createField } from '../store/structure/fields.ts'
import type { Uses } from '../store/ground/store.ts'
import { createTable, deleteTable } from '../store/structure/tables.ts'
import type { Intended, Making } from './intend.ts'
import { sameText, type Named } from './named-records.ts'
import type { Column, Plan, Trial } from './plan.ts'

/** What of the store is used here. */
type Used = Uses<'db' | 'environment' | 'settings' | 'context' | 'catalogue' | 'restructure'>

/** Makes the table and fields that do not exist yet. Returns the attribute of each column. */
export async function carryOut(
  store: Used,
  by: Administrator,
  tableId: number | undefined,
  title: string,
  intended: readonly Intended[],
  nothing: string,
): Promise<Plan> {
  const id = tableId ?? (await createTable(store, by, { title }))
  try {
    const attributes = new Map<Intended, string>()
    for (const one of intended) {
      if (one.becomes)
        attributes.set(
          one,
          'attribute' in one.becomes ? one.becomes.attribute : `f${await makeField(store, by, id, one.becomes, one.names)}`,
        )
    }
    const { fields } = store.catalogue().tables.get(id)!
    const columns = [...attributes].map(([one, attribute]) => columnOf(one, attribute, fields))
    return { tableId: id, columns, width: intended.length, nothing }
  } catch (error) {
    // A name or a setting was refused: the table, which lacks fields, is removed again.
    if (tableId === undefined) await deleteTable(store, by, id)
    throw error
  }
}

/** Where nothing is to be made. */
export function existingPlan(store: Uses<'catalogue'>, tableId: number, intended: readonly Intended[], nothing: string): Plan {
  const { fields } = store.catalogue().tables.get(tableId)!
  const columns = intended.flatMap((one) =>
    one.becomes && 'attribute' in one.becomes ? [columnOf(one, one.becomes.attribute, fields)] : [],
  )
  return { tableId, columns, width: intended.length, nothing }
}

/** The same without making anything, for an import that is only tried: what fields and tables that are not there would refuse by their types. */
export function trialPlan(tableId: number | undefined, intended: readonly Intended[], nothing: string): Plan {
  const columns: Column[] = []
  const trials: Trial[] = []
  for (const one of intended) {
    const { becomes, header, index, names, several, written } = one
    if (!becomes) continue
    if ('attribute' in becomes) {
      if (tableId !== undefined) columns.push(columnOf(one, becomes.attribute, []))
    } else if (names) {
      if (typeof names.by === 'object') columns.push({ header, index, attribute: '', reference: names.by, ...(several && { several }) })
    } else if (becomes.listType === undefined) {
      const { type, scale, guessed } = becomes
      const as = typeof written === 'object' ? { written } : {}
      trials.push({ header, index, type, ...(scale !== undefined && { scale }), ...(guessed && { guess: type }), ...as })
    }
  }
  return { tableId: tableId ?? 0, columns, width: intended.length, nothing, trials }
}

function makeField(
  store: Used,
  by: Administrator,
  tableId: number,
  { makes, type, unique, scale, options }: Making,
  names: Named | undefined,
): Promise<number> {
  const referenceTableId = names?.tableId === 'itself' ? tableId : names?.tableId
  return createField(store, by, {
    tableId,
    title: makes,
    typeName: type,
    unique,
    ...(scale !== undefined && { scale }),
    ...(options && { options: options.map((label) => ({ label })) }),
    ...(referenceTableId !== undefined && { referenceTableId }),
  })
}

function columnOf({ header, index, names, several, becomes, written }: Intended, attribute: string, fields: readonly Field[]): Column {
  const by = names?.by
  const reference =
    typeof by === 'object' ? by : by === undefined || by === 'id' ? undefined : fields.find((field) => sameText(field.title, by))
  const guess = becomes && 'makes' in becomes && becomes.guessed ? becomes.type : undefined
  const listType = becomes && 'makes' in becomes ? becomes.listType : undefined
  return {
    header,
    index,
    attribute,
    ...(reference && { reference, ...(several && { several }) }),
    ...(guess !== undefined && { guess }),
    ...(listType !== undefined && { listType }),
    ...(typeof written === 'object' && { written }),
  }
}
