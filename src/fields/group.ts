import type { FieldType } from './field-type.ts'
import { oneId } from './forms/ids.ts'

export const group: FieldType = {
  ...oneId('group'),
  name: 'group',
  says: 'One group of users, by its id.',
  settings: [],
}
