import type { FieldType } from './field-type.ts'
import { oneId } from './forms/ids.ts'

export const reference: FieldType = {
  ...oneId('record'),
  name: 'reference',
  says: 'One record of another table, by its id.',
  canBeUnique: true,
  settings: ['referenceTableId'],
}
