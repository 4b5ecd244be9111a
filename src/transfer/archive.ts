import type { Readable } from 'node:stream'
import { type Entry, fromFd, type ZipFile } from 'yauzl'
import { Unreadable } from './read-csv.ts'

/** Parts that are looked at: sheets, pictures, comments. */
const MOST_PARTS = 10_000

/** A workbook as the archive of its parts. */
export interface Archive {
  /** Asked for each chunk of a part. */
  isEnded(): boolean
  readonly entries: ReadonlyMap<string, Entry>
  open(entry: Entry): Promise<Readable>
}

/** @throws Unreadable */
export function opened(descriptor: number): Promise<Omit<Archive, 'isEnded'>> {
  const broken = (error: Error) => new Unreadable(`The file is not a workbook (.xlsx): ${error.message}.`)
  return new Promise((resolve, reject) => {
    fromFd(descriptor, { lazyEntries: true, autoClose: false }, (error, zip: ZipFile) => {
      if (error) return reject(broken(error))
      const entries = new Map<string, Entry>()
      zip.on('error', (cause: Error) => reject(broken(cause)))
      zip.on('entry', (entry: Entry) => {
        if (entries.size < MOST_PARTS) entries.set(entry.fileName.toLowerCase(), entry)
        zip.readEntry()
      })
      zip.on('end', () =>
        resolve({
          entries,
          open: (entry) =>
            new Promise((open, fail) => zip.openReadStream(entry, (cause, stream) => (cause ? fail(broken(cause)) : open(stream)))),
        }),
      )
      zip.readEntry()
    })
  })
}
