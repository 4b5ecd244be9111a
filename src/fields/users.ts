import type { FieldType } from './field-type.ts'
import { severalIds } from './forms/ids.ts'

export const users: FieldType = {
  ...severalIds('user'),
  name: 'users',
  says: 'Several users: their ids between hyphens, such as -4-7-.',
  settings: [],
  defaultWords: { current_user: ({ userId }) => (userId === 0 ? '' : `-${userId}-`) },
}
