import { peopleEditor } from '../editors/people.tsx'
import type { FieldType } from '../field-type.ts'
import { say } from '../../i18n/words.ts'
import { titled } from '../ids.ts'

export const group: FieldType = {
  icon: 'team',
  show: (text, _, titleOf) =>
    [text]
      .filter((id) => id !== '0')
      .map((id) => titled(titleOf('group', id), id))
      .join(', ') || null,
  toText: (text, _, titleOf) =>
    [text]
      .filter((id) => id !== '0')
      .map((id) => titled(titleOf('group', id), id))
      .join(', '),
  // By number alone: several may have the same name.
  read(text) {
    const [, id] = /^#?(\d{1,16})$/.exec(text.trim()) ?? []
    return text.trim() === '' ? { value: '' } : id === undefined ? { error: say('chooseFromList') } : { value: id }
  },
  Editor: peopleEditor('group', false),
}
