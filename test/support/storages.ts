import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { FileStorage } from '../../src/store/files/file-storage.ts'
import { startBucket } from './bucket.ts'

/** Where the bytes of files can be. What is true of files is tested with both. */
export interface Storage {
  readonly name: string
  /** `files`: the storage of an installation in a directory; left out: the directory itself. */
  begin(): Promise<{ readonly files?: (directory: string) => FileStorage; close(): Promise<void> }>
  /** How many uploads have begun and are not stored. */
  unfinished(directory: string): number
}

const unlessGone = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

/** How many files without a name (spool.ts) a process has open in a directory. */
export const unnamedFiles = (process: number | 'self', directory: string): number =>
  readdirSync(`/proc/${process}/fd`)
    .map((name) => unlessGone(`/proc/${process}/fd/${name}`))
    .filter((path) => path.startsWith(directory) && path.endsWith('.part (deleted)')).length

export const storages: readonly Storage[] = [
  {
    name: 'a directory',
    begin: async () => ({ close: async () => {} }),
    unfinished: (directory) => readdirSync(join(directory, 'files')).filter((name) => name.endsWith('.part')).length,
  },
  {
    name: 'a bucket',
    begin: () => startBucket(),
    // Files without a name, until they are sent to the bucket.
    unfinished: (directory) => unnamedFiles('self', directory),
  },
]
