import { recordsEditor } from '../editors/records.tsx'
import type { FieldType } from '../field-type.ts'
import { say } from '../../i18n/words.ts'
import { titled } from '../ids.ts'
import { Referred } from '../referred.tsx'

export const reference: FieldType = {
  icon: 'reference',
  hasLinks: true,
  show: (text, { target }, titleOf) =>
    [text].filter((id) => id !== '0').map((id) => <Referred key={id} table={target} id={id} title={titleOf(target ?? 0, id)} />),
  toText: (text, { target }, titleOf) =>
    [text]
      .filter((id) => id !== '0')
      .map((id) => titled(titleOf(target ?? 0, id), id))
      .join(', '),
  // By number alone: several may have the same name.
  read(text) {
    const [, id] = /^#?(\d{1,16})$/.exec(text.trim()) ?? []
    return text.trim() === '' ? { value: '' } : id === undefined ? { error: say('chooseFromList') } : { value: id }
  },
  Editor: recordsEditor(false),
}
