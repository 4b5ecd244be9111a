import type { EditorProps } from '../field-type.ts'
import { Label } from '../labels.tsx'
import { Picker } from './picker.tsx'

/** Options of a field by their labels; several are parted by CR LF. */
export function optionsEditor(isMultiple: boolean) {
  return function OptionsEditor({ field, value, initial, label, onCommit, onCancel }: EditorProps) {
    const chosen = typeof value === 'string' && value !== '' ? (isMultiple ? value.split('\r\n') : [value]) : []
    const choice = (text: string) => ({ id: text, text, shown: <Label field={field} text={text} /> })
    const choices = field.options.map((option) => choice(option.label))
    return (
      <Picker
        {...{ label, initial, choices, isMultiple, onCancel }}
        chosen={chosen.map(choice)}
        // In the order of the field, whatever was clicked first.
        onCommit={(labels) =>
          onCommit(
            choices
              .map(({ id }) => id)
              .filter((id) => labels.includes(id))
              .join('\r\n'),
            'down',
          )
        }
      />
    )
  }
}
