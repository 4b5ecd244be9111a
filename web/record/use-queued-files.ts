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
  // Files may be added while the record waits to be made.
  const latest = useRef(files)
  latest.current = files
  const going = useRef<AbortController>(undefined)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
      going.current?.abort()
    }
  }, [])
  const change = (key: number, next: Partial<QueuedFile> | undefined) =>
    setFiles((before) => before.flatMap((one) => (one.key !== key ? [one] : next ? [{ ...one, ...next }] : [])))

  /** A file takes the place of one with its name. */
  const add = (field: Field, given: readonly File[]) =>
    setFiles((before) => [
      ...before.filter((one) => one.field.id !== field.id || given.every(({ name }) => name !== one.file.name)),
      ...given.map((file) => ({ key: keys++, field, file })),
    ])

  async function sendOne({ key, field, file, isTried }: QueuedFile, record: string): Promise<CameIn | 'there' | undefined> {
    const abort = new AbortController()
    going.current = abort
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
    const queued = latest.current
    const kept = new Set(queued.map(({ key }) => key))
    for (const one of queued) {
      if (!isOpen.current) break
      const arrived = await sendOne(one, record)
      if (arrived) kept.delete(one.key)
      if (arrived && arrived !== 'there') came.set(one.field, [...(came.get(one.field) ?? []), arrived])
    }
    for (const [field, arrived] of came) didAddFiles(field.table, record, field.name, arrived)
    return kept.size === 0
  }
  return { files, add, drop: (key: number) => change(key, undefined), send, isOpen: () => isOpen.current }
}
