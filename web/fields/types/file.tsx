import type { FieldType } from '../field-type.ts'
import { say } from '../../i18n/words.ts'
import { Icon } from '../../ui/icon.tsx'

/** Files have no editor of text: a card adds them and takes them away (record/files.tsx). */
export const file: FieldType = {
  icon: 'clip',
  isWide: true,
  show: (text) => (
    <>
      <Icon name="clip" size="s" /> {text.split('\r\n').join(', ')}
    </>
  ),
  toText: (text) => text.split('\r\n').join(', '),
  read: () => ({ error: say('filesInCard') }),
}
