import { useQuery } from '@tanstack/react-query'
import { groups, users } from '../../api/queries.ts'
import type { EditorProps } from '../field-type.ts'
import { idsIn, idsOf, titled } from '../ids.ts'
import { Picker } from './picker.tsx'

/** Users or groups whom the person may see. */
export function peopleEditor(of: 'user' | 'group', isMultiple: boolean) {
  return function PeopleEditor({ field, value, initial, label, isInGrid, titleOf, onCommit, onCancel }: EditorProps) {
    const found = useQuery(of === 'user' ? users : groups)
    const choices = (found.data?.data ?? [])
      .filter(({ attributes }) => !attributes['arc'])
      .map(({ id, attributes }) => ({
        id,
        text: String((of === 'user' ? attributes['fio'] || attributes['login'] : attributes['group_name']) || titled(undefined, id)),
      }))
    const ids = isMultiple ? idsIn(String(value ?? '')) : [String(value ?? '0')].filter((id) => id !== '0' && id !== '')
    const chosen = ids.map((id) => choices.find((one) => one.id === id) ?? { id, text: titled(titleOf(of, id), id) })
    return (
      <Picker
        {...{ label, initial, choices, chosen, isMultiple, isInGrid, onCancel }}
        isRequired={field.isRequired}
        isWaiting={found.isLoading}
        onCommit={(next, move) => onCommit(!next ? value : isMultiple ? idsOf(next) : (next[0] ?? ''), move)}
      />
    )
  }
}
