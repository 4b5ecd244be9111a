import type { FieldType } from './field-type.ts'
import { oneId } from './forms/ids.ts'

export const user: FieldType = {
  ...oneId('user'),
  name: 'user',
  says: 'One user, by id.',
  canBeUnique: true,
  settings: [],
  defaultWords: { current_user: ({ userId }) => String(userId) },
}
