import { useCallback, useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError, type Document, type Resource } from '../api/client.ts'
import { changed, saveRecord } from '../api/records.ts'
import { send } from '../api/client.ts'

/** What became of the edit of one field. */
export type EditState =
  | { readonly is: 'saving' | 'saved'; readonly value: unknown }
  | { readonly is: 'refused'; readonly value: unknown; readonly error: unknown }
  /** Somebody else has changed the same field meanwhile. */
  | { readonly is: 'clash'; readonly value: unknown; readonly theirs: unknown; readonly etag: string | undefined }

export interface Edits {
  readonly states: ReadonlyMap<string, EditState>
  save(name: string, value: unknown): void
  /** Once more, over what somebody else has written. */
  insist(name: string): void
  /** Leaves the field as the service has it. */
  give(name: string): void
}

/**
 * Edits of a record, saved field by field and one after the other, each only if nobody has changed the record since it was read. If somebody has
 * changed other fields alone, it is saved all the same.
 */
export function useEdits(table: number, id: string, key: readonly unknown[], found: Document<Resource> | undefined): Edits {
  const client = useQueryClient()
  const [states, setStates] = useState<ReadonlyMap<string, EditState>>(new Map())
  const known = useRef(found)
  known.current = found
  const last = useRef<Promise<void>>(Promise.resolve())
  const put = useCallback((name: string, state: EditState | undefined) => {
    setStates((before) => {
      const next = new Map(before)
      if (state) next.set(name, state)
      else next.delete(name)
      return next
    })
  }, [])
  useEffect(() => setStates(new Map()), [table, id])

  const keep = (answer: Document<Resource>) => {
    const before = known.current
    const next = { ...answer, included: before?.included ?? [] }
    known.current = next
    client.setQueryData(key, next)
  }

  async function write(name: string, value: unknown, etag: string | undefined, tries: number): Promise<void> {
    const before = known.current?.data.attributes[name]
    try {
      keep(await saveRecord(table, id, { [name]: value }, etag))
      put(name, { is: 'saved', value })
      void changed(table)
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) return put(name, { is: 'refused', value, error })
      const now = await send<Resource>('GET', `data${table}/${encodeURIComponent(id)}`).catch((failure: unknown) => failure)
      if (now instanceof Error) return put(name, { is: 'refused', value, error: now })
      const answer = now as Document<Resource>
      const theirs = answer.data.attributes[name]
      keep(answer)
      if (theirs === before && tries > 0) return write(name, value, answer.etag, tries - 1)
      put(name, { is: 'clash', value, theirs, etag: answer.etag })
    }
  }

  const save = (name: string, value: unknown, etag?: string) => {
    put(name, { is: 'saving', value })
    last.current = last.current.then(() => write(name, value, etag ?? known.current?.etag, 3))
  }
  return {
    states,
    save: (name, value) => save(name, value),
    insist(name) {
      const state = states.get(name)
      if (state) save(name, state.value, state.is === 'clash' ? state.etag : undefined)
    },
    give: (name) => put(name, undefined),
  }
}
