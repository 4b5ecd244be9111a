import { optionsEditor } from '../editors/options.tsx'
import type { FieldType } from '../field-type.ts'
import { Label } from '../labels.tsx'
import { optionsRead } from '../options.ts'

export const multilist: FieldType = {
  icon: 'choices',
  show: (text, field) => text.split('\r\n').map((one) => <Label key={one} field={field} text={one} />),
  // A label may have a comma: lines are told from each other by their ends.
  toText: (text) => text.split('\r\n').join('\n'),
  read(text, field) {
    const lines = text
      .split(/\r?\n/)
      .map((one) => one.trim())
      .filter((one) => one !== '')
    const known = optionsRead(field, lines)
    return 'error' in known && lines.length === 1
      ? optionsRead(
          field,
          text
            .split(/[,;]/)
            .map((one) => one.trim())
            .filter((one) => one !== ''),
        )
      : known
  },
  Editor: optionsEditor(true),
}
