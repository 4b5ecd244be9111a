import { peopleEditor } from '../editors/people.tsx'
import type { FieldType } from '../field-type.ts'
import { say } from '../../i18n/words.ts'
import { idsIn, idsOf, titled } from '../ids.ts'

export const users: FieldType = {
  icon: 'users',
  show: (text, _, titleOf) =>
    idsIn(text)
      .map((id) => titled(titleOf('user', id), id))
      .join(', ') || null,
  toText: (text, _, titleOf) =>
    idsIn(text)
      .map((id) => titled(titleOf('user', id), id))
      .join(', '),
  // By number alone: several may have the same name.
  read(text) {
    const ids = text
      .split(/[,;\s]+/)
      .filter((one) => one !== '')
      .map((one) => /^#?(\d{1,16})$/.exec(one)?.[1])
    return ids.includes(undefined) ? { error: say('chooseFromList') } : { value: idsOf(ids as string[]) }
  },
  Editor: peopleEditor('user', true),
}
