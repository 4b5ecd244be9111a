import { optionsEditor } from '../editors/options.tsx'
import type { FieldType } from '../field-type.ts'
import { Label } from '../labels.tsx'
import { optionsRead } from '../options.ts'

export const list: FieldType = {
  icon: 'list',
  show: (text, field) => <Label field={field} text={text} />,
  toText: (text) => text,
  read: (text, field) =>
    optionsRead(
      field,
      [text.trim()].filter((one) => one !== ''),
    ),
  Editor: optionsEditor(false),
}
