import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { putFile } from '../api/records.ts'
import { didAddFiles, type CameIn } from '../api/undo.ts'
import type { Field } from '../fields/field.ts'
import { useWords } from '../i18n/words.ts'
import { useTrouble } from '../ui/trouble.tsx'

/** A file for a record that is not there yet. */
export interface QueuedFile {
  readonly key: number
  readonly field: Field
  readonly file: File
  /** How much has gone, from 0 to 1; undefined: it is not on its way. */
  readonly part?: number | undefined
  /** Why it was not taken. */
  readonly wrong?: string | undefined
  /** Whether it may have come, though nobody heard of it. */
  readonly isTried?: boolean
}

let keys = 0

/** Files that are sent when their record has been made, as long as the form `isOpen`. What was not taken stays, to be sent again. */
export function useQueuedFiles() {
  const say = useWords()
  const trouble = useTrouble()
  const [files, setFiles] = useState<readonly QueuedFile[]>([])
  // As they are now, not as they were drawn last: they are added and taken away while others are on their way.
  const latest = useRef(files)
  const put = (next: readonly QueuedFile[]) => setFiles((latest.current = next))
  const going = useRef<{ readonly key: number; readonly abort: AbortController }>(undefined)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
      going.current?.abort.abort()
    }
  }, [])
  const change = (key: number, next: Partial<QueuedFile> | undefined) =>
    put(latest.current.flatMap((one) => (one.key !== key ? [one] : next ? [{ ...one, ...next }] : [])))

  /** A file takes the place of one with its name. */
  const add = (field: Field, given: readonly File[]) =>
    put([
      ...latest.current.filter((one) => one.field.id !== field.id || given.every(({ name }) => name !== one.file.name)),
      ...given.map((file) => ({ key: keys++, field, file })),
    ])
  const drop = (key: number) => {
    if (going.current?.key === key) going.current.abort.abort()
    change(key, undefined)
  }

  async function sendOne({ key, field, file, isTried }: QueuedFile, record: string): Promise<CameIn | 'there' | undefined> {
    const abort = new AbortController()
    going.current = { key, abort }
    change(key, { part: 0, wrong: undefined })
    try {
      const tell = (part: number) => change(key, { part })
      const { id, attributes } = await putFile(field.table, field.name, record, file.name, file, tell, abort.signal)
      change(key, undefined)
      return { id, name: String(attributes['file_name']) }
    } catch (error) {
      const isThere = error instanceof ApiError && error.status === 412
      const mayBeThere = error instanceof ApiError && (error.status === 0 || error.status >= 500)
      if (isThere && isTried) {
        change(key, undefined)
        return 'there'
      }
      change(key, { part: undefined, wrong: isThere ? say('fileIsThere') : trouble(error), isTried: isTried || mayBeThere })
      return undefined
    }
  }

  /** Sends all to a record, one after the other. Tells whether all have come. */
  async function send(record: string): Promise<boolean> {
    const came = new Map<Field, CameIn[]>()
    for (const { key } of latest.current) {
      const one = latest.current.find((now) => now.key === key)
      if (!one || !isOpen.current) continue
      const arrived = await sendOne(one, record)
      if (arrived && arrived !== 'there') came.set(one.field, [...(came.get(one.field) ?? []), arrived])
    }
    for (const [field, arrived] of came) didAddFiles(field.table, record, field.name, arrived)
    return latest.current.length === 0
  }
  return { files, add, drop, send, isOpen: () => isOpen.current }
}
