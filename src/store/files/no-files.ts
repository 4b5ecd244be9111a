import type { FileStorage } from './file-storage.ts'

const refused = (): never => {
  throw new Error('There are no files here.')
}

/** File storage for work without files, such as an import. Every call throws. */
export const refusingFiles: FileStorage = {
  put: refused,
  receive: refused,
  stream: refused,
  spool: refused,
  room: refused,
  list: refused,
  stat: refused,
  hold: refused,
  sweep: refused,
  reach: refused,
  requests: refused,
  putAs: refused,
  small: { get: refused, put: refused },
}
