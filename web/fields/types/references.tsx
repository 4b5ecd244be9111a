import { recordsEditor } from '../editors/records.tsx'
import type { FieldType } from '../field-type.ts'
import { say } from '../../i18n/words.ts'
import { idsIn, idsOf, titled } from '../ids.ts'
import { Referred } from '../referred.tsx'

export const references: FieldType = {
  icon: 'references',
  hasLinks: true,
  show: (text, { target }, titleOf) =>
    idsIn(text).map((id) => <Referred key={id} table={target} id={id} title={titleOf(target ?? 0, id)} />),
  toText: (text, { target }, titleOf) =>
    idsIn(text)
      .map((id) => titled(titleOf(target ?? 0, id), id))
      .join(', '),
  // By number alone: several may have the same name.
  read(text) {
    const ids = text
      .split(/[,;\s]+/)
      .filter((one) => one !== '')
      .map((one) => /^#?(\d{1,16})$/.exec(one)?.[1])
    return ids.includes(undefined) ? { error: say('chooseFromList') } : { value: idsOf(ids as string[]) }
  },
  Editor: recordsEditor(true),
}
