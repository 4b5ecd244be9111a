import { useEffect, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { newKey } from '../../api/keys.ts'
import { fieldsOf, foundRecords, me, MOST_FOUND, recordsWith, tables } from '../../api/queries.ts'
import { isBarred } from '../../api/record-rights.ts'
import { changed, createRecord } from '../../api/records.ts'
import { didChange } from '../../api/undo.ts'
import { fieldOf } from '../field.ts'
import type { EditorProps } from '../field-type.ts'
import { idsIn, idsOf, titled } from '../ids.ts'
import { moreOf } from '../more.ts'
import { plainText } from '../plain.ts'
import { recentOf, rememberChosen } from '../recent.ts'
import { titleFieldOf } from '../titles.ts'
import { Picker } from './picker.tsx'

/** Milliseconds without a key after which the service is asked. */
const PAUSE = 150

/** Records of another table by words in them; without words those come first that the person has chosen last. `mayChange`: those alone that the person may change. */
export function recordsEditor(isMultiple: boolean, { mayChange = false } = {}) {
  return function RecordsEditor({ field, value, initial, label, isInGrid, titleOf, onCommit, onCancel }: EditorProps) {
    const [wanted, setWanted] = useState(initial ?? '')
    const [text, setText] = useState(wanted)
    useEffect(() => {
      const timer = setTimeout(() => setText(wanted), PAUSE)
      return () => clearTimeout(timer)
    }, [wanted])
    const target = field.target ?? 0
    const structure = useQuery(fieldsOf(target))
    const table = useQuery(tables).data?.data.find(({ id }) => id === String(target))
    const found = useQuery({ ...foundRecords(target, text, mayChange), placeholderData: (before) => before })
    const person = useQuery(me).data?.data.id
    const recent = useMemo(() => (person === undefined ? [] : recentOf(person, target)), [person, target])
    const before = useQuery({ ...recordsWith(target, recent, mayChange), enabled: recent.length > 0 })
    // Nothing is offered before all of it is there: choices that come later would move the others under the pointer.
    const isReady = structure.data !== undefined && person !== undefined && !before.isLoading
    const fields = (structure.data?.data ?? []).map(fieldOf)
    const title = titleFieldOf(fields, table)
    const last = text === '' ? recent.flatMap((id) => before.data?.data.find((one) => one.id === id) ?? []) : []
    const all = [...last, ...(found.data?.data ?? []).filter(({ id }) => !last.some((one) => one.id === id))]
    const listed = mayChange ? all.filter((one) => !isBarred(one, 'update')).slice(0, MOST_FOUND) : all
    const choices = (isReady ? listed : []).map((one) => ({
      id: one.id,
      text: (title && plainText(title, one.attributes[title.name])) || titled(undefined, one.id),
      more: moreOf(fields, title, one).join(' · '),
    }))
    const total = found.isPlaceholderData ? 0 : (found.data?.meta?.total ?? 0)
    const address = `/t/${target}${text.trim() === '' ? '' : `?q=${encodeURIComponent(JSON.stringify(text.trim()))}`}`
    const isMore = isReady && total > (found.data?.data.length ?? 0)
    const ids = isMultiple ? idsIn(String(value ?? '')) : [String(value ?? '0')].filter((id) => id !== '0' && id !== '')
    const chosen = ids.map((id) => ({ id, text: titled(titleOf(target, id), id) }))
    const mayCreate = table?.meta?.access?.['create'] === true && title?.maySet === true && NAMES.has(title.type)
    const create = async (name: string) => {
      const { data } = await createRecord(target, { [title!.name]: name }, newKey())
      didChange(target, data.id, title!.name, Promise.resolve(data.attributes[title!.name]))
      void changed(target)
      return { id: data.id, text: name }
    }
    return (
      <Picker
        {...{ label, initial, choices, chosen, isMultiple, isInGrid, onCancel }}
        isRequired={field.isRequired}
        // What was typed last is not asked for yet.
        isWaiting={found.isFetching || wanted !== text || !isReady}
        onSearch={setWanted}
        all={isMore ? { count: total, address } : undefined}
        {...(mayCreate && {
          onCreate: create,
          formOf: (name: string) => `/t/${target}/new?${title!.name}=${encodeURIComponent(JSON.stringify(name))}`,
        })}
        onCommit={(next, move) => {
          if (!next) return onCommit(value, move)
          if (person !== undefined) rememberChosen(person, target, next)
          onCommit(isMultiple ? idsOf(next) : (next[0] ?? ''), move)
        }}
      />
    )
  }
}

/** Types of titles of which a record can be made. */
const NAMES: ReadonlySet<string> = new Set(['text', 'email', 'phone', 'url'])
