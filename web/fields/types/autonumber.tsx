import type { FieldType } from '../field-type.ts'
import { say } from '../../i18n/words.ts'

export const autonumber: FieldType = {
  icon: 'ordinal',
  isNumber: true,
  show: (text) => (text === '0' ? null : text),
  toText: (text) => text,
  read: () => ({ error: say('notSetByPeople') }),
}
