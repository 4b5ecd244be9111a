import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../api/client.ts'
import { putFile } from '../api/records.ts'
import { didAddFiles, type CameIn } from '../api/undo.ts'
import type { Field } from '../fields/field.ts'
import { afterColon } from '../i18n/after-colon.ts'
import { useWords } from '../i18n/words.ts'
import { useLeaving } from '../ui/leaving.ts'
import { useTrouble } from '../ui/trouble.tsx'

export interface Upload {
  readonly key: number
  readonly name: string
  /** How much has gone, from 0 to 1. */
  readonly part: number
  cancel(): void
}

let keys = 0

/**
 * Files on their way into a field, one after the other; `done` is told when the last has gone. Those that were given together are one act to undo.
 */
export function useUploads(field: Field, id: string, done: () => Promise<void>) {
  const say = useWords()
  const trouble = useTrouble()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const [wrong, setWrong] = useState<string>()
  const last = useRef<Promise<void>>(Promise.resolve())
  const isThere = useRef(true)
  useEffect(() => {
    isThere.current = true
    return () => void (isThere.current = false)
  }, [])
  useLeaving(uploads.length > 0)

  const change = (key: number, next: Partial<Upload> | undefined) =>
    setUploads((before) => before.flatMap((one) => (one.key !== key ? [one] : next ? [{ ...one, ...next }] : [])))

  async function send(key: number, file: File, signal: AbortSignal): Promise<CameIn | undefined> {
    let came: CameIn | undefined
    try {
      const { id: stored, attributes } = await putFile(
        field.table,
        field.name,
        id,
        file.name,
        file,
        (part) => change(key, { part }),
        signal,
      )
      came = { id: stored, name: String(attributes['file_name']) }
    } catch (error) {
      if (!signal.aborted)
        setWrong(`${file.name}: ${afterColon(error instanceof ApiError && error.status === 412 ? say('fileIsThere') : trouble(error))}`)
    }
    change(key, undefined)
    return came
  }

  function add(given: readonly File[]): void {
    setWrong(undefined)
    const begun = given.map((file) => ({ key: keys++, file, abort: new AbortController() }))
    const shown = begun.map(({ key, file, abort }) => ({
      key,
      name: file.name,
      part: 0,
      cancel: () => {
        abort.abort()
        change(key, undefined)
      },
    }))
    setUploads((before) => [...before, ...shown])
    const arrived: CameIn[] = []
    for (const { key, file, abort } of begun)
      last.current = last.current.then(async () => {
        const came = await send(key, file, abort.signal)
        if (came) arrived.push(came)
      })
    last.current = last.current
      .then(() => {
        if (arrived.length > 0) didAddFiles(field.table, id, field.name, arrived)
        return done()
      })
      .catch((error: unknown) => setWrong(trouble(error)))
  }
  return { uploads, wrong, setWrong, add }
}
