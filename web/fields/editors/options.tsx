import { useQuery } from '@tanstack/react-query'
import { addOption } from '../../api/administration.ts'
import { me } from '../../api/queries.ts'
import type { EditorProps } from '../field-type.ts'
import { Label } from '../labels.tsx'
import { Picker } from './picker.tsx'

/** Options of a field by their labels; several are parted by CR LF. Who may change the field adds one that is missing. */
export function optionsEditor(isMultiple: boolean) {
  return function OptionsEditor({ field, value, initial, label, isInGrid, onCommit, onCancel }: EditorProps) {
    const administers = (useQuery(me).data?.data.attributes['administers'] ?? []) as readonly string[]
    const chosen = typeof value === 'string' && value !== '' ? (isMultiple ? value.split('\r\n') : [value]) : []
    const choice = (text: string) => ({ id: text, text, shown: <Label field={field} text={text} /> })
    const choices = field.options.map((option) => choice(option.label))
    const create = async (text: string) => {
      await addOption(field.id, text)
      return choice(text)
    }
    return (
      <Picker
        {...{ label, initial, choices, isMultiple, isInGrid, onCancel }}
        isRequired={field.isRequired}
        chosen={chosen.map(choice)}
        {...(administers.includes('field') && { onCreate: create })}
        // In the order of the field, whatever was clicked first; a new one is its last.
        onCommit={(labels, move) => {
          if (!labels) return onCommit(value, move)
          const known = choices.map(({ id }) => id).filter((id) => labels.includes(id))
          onCommit([...known, ...labels.filter((one) => !known.includes(one))].join('\r\n'), move)
        }}
      />
    )
  }
}
