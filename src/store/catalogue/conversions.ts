import type { Attribute, FieldSettings } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { sql, type Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'
import type { Conversion } from '../model/catalogue.ts'

/* The rows of fields that jobs convert. */

export const conversionColumns: Sql = sql`id, table_id, field_id, job_id, user_id, token_id, phase, last_id, source, target`

export function readConversion([id, tableId, fieldId, jobId, userId, tokenId, phase, lastId, source, target]: Row): Conversion {
  const name = `f${Number(fieldId)}`
  return {
    id: Number(id),
    tableId: Number(tableId),
    fieldId: Number(fieldId),
    jobId: Number(jobId),
    userId: Number(userId),
    tokenId: Number(tokenId),
    phase: phase === 'leave' ? 'leave' : 'fill',
    lastId: Number(lastId),
    from: attributeOf(name, String(source)),
    to: attributeOf(name, String(target)),
  }
}

interface Kept {
  readonly column: string
  readonly type: string
  readonly settings: FieldSettings
}

/** What its row keeps of a column. */
export const keptOf = ({ column, type, settings }: Attribute): string =>
  JSON.stringify({ column, type: type.name, settings } satisfies Kept)

function attributeOf(name: string, text: string): Attribute {
  const { column, type: typeName, settings } = JSON.parse(text) as Kept
  const type = fieldType(typeName)
  if (!type) throw new Error(`A conversion has the field type '${typeName}', which this version does not know.`)
  return { name, column, type, settings, ...(type.key && { keyColumn: `${column}k` }) }
}

/** Of the two columns, that which is not the column of the field. */
export const otherColumn = ({ phase, from, to }: Conversion): Attribute => (phase === 'fill' ? to : from)

/** Its physical names. */
export function physicalNames(conversion: Conversion): string[] {
  const { column, keyColumn } = otherColumn(conversion)
  return keyColumn === undefined ? [column] : [column, keyColumn]
}
