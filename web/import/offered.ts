import { useSyncExternalStore } from 'react'

/* A file that was dropped, or chosen on another page, until the page of imports takes it. */

let offered: File | undefined
const listeners = new Set<() => void>()
/** Files of drafts, so that another table can be chosen without asking for the file again. */
const files = new Map<string, File>()

export function offerFile(file: File): void {
  offered = file
  for (const listener of listeners) listener()
}

/** Whether there is one. */
export const useOffer = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => offered !== undefined,
  )

export function takeOffered(): File | undefined {
  const file = offered
  offered = undefined
  for (const listener of listeners) listener()
  return file
}

export const keepFile = (job: string, file: File): void => void files.set(job, file)
export const fileOf = (job: string): File | undefined => files.get(job)

export const isImportable = (name: string): boolean => /\.(csv|tsv|txt|xlsx|jsonl|ndjson)$/i.test(name)
