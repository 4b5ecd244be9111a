import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { fieldsOf, foundRecords, tables } from '../../api/queries.ts'
import { fieldOf } from '../field.ts'
import type { EditorProps } from '../field-type.ts'
import { idsIn, idsOf, titled } from '../ids.ts'
import { plainText } from '../plain.ts'
import { titleFieldOf } from '../titles.ts'
import { Picker } from './picker.tsx'

/** Milliseconds without a key after which the service is asked. */
const PAUSE = 150

/** Records of another table by words in them. */
export function recordsEditor(isMultiple: boolean) {
  return function RecordsEditor({ field, value, initial, label, titleOf, onCommit, onCancel }: EditorProps) {
    const [wanted, setWanted] = useState(initial ?? '')
    const [text, setText] = useState(wanted)
    useEffect(() => {
      const timer = setTimeout(() => setText(wanted), PAUSE)
      return () => clearTimeout(timer)
    }, [wanted])
    const target = field.target ?? 0
    const structure = useQuery(fieldsOf(target))
    const table = useQuery(tables).data?.data.find(({ id }) => id === String(target))
    const found = useQuery({ ...foundRecords(target, text), placeholderData: (before) => before })
    const fields = (structure.data?.data ?? []).map(fieldOf)
    const title = titleFieldOf(fields, table)
    const more = fields.filter((one) => one !== title && SHORT.has(one.type)).slice(0, 2)
    const choices = (structure.data ? (found.data?.data ?? []) : []).map(({ id, attributes }) => ({
      id,
      text: (title && plainText(title, attributes[title.name])) || titled(undefined, id),
      more: more
        .map((one) => plainText(one, attributes[one.name]))
        .filter((one) => one !== '')
        .join(' · '),
    }))
    const ids = isMultiple ? idsIn(String(value ?? '')) : [String(value ?? '0')].filter((id) => id !== '0' && id !== '')
    const chosen = ids.map((id) => ({ id, text: titled(titleOf(target, id), id) }))
    return (
      <Picker
        {...{ label, initial, choices, chosen, isMultiple, onCancel }}
        isWaiting={found.isFetching || !structure.data}
        onSearch={setWanted}
        onCommit={(next) => onCommit(isMultiple ? idsOf(next) : (next[0] ?? ''), 'down')}
      />
    )
  }
}

/** Types whose values say something in a few letters. */
const SHORT: ReadonlySet<string> = new Set(['text', 'email', 'phone', 'url', 'list', 'integer', 'decimal', 'date', 'autonumber'])
