import type { FieldType } from './field-type.ts'
import { severalIds } from './forms/ids.ts'

export const references: FieldType = {
  ...severalIds('record'),
  name: 'references',
  says: 'Several records of another table: their ids between hyphens, such as -4-7-.',
  settings: ['referenceTableId'],
}
