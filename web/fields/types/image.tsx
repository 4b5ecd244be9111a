import type { FieldType } from '../field-type.ts'
import { say } from '../../i18n/words.ts'
import { Icon } from '../../ui/icon.tsx'

/** Files have no editor of text: a card adds them and takes them away (record/files.tsx). */
export const image: FieldType = {
  icon: 'image',
  isWide: true,
  show: (text) => (
    <>
      <Icon name="image" size="s" />
      {text.split('\r\n').join(', ')}
    </>
  ),
  toText: (text) => text.split('\r\n').join(', '),
  read: () => ({ error: say('filesInCard') }),
}
