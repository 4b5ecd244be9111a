import type { FileStorage } from './file-storage.ts'

const refused = (): never => {
  throw new Error('There are no files here.')
}

/** File storage for work without files, such as an import. Every call throws. */
export const refusingFiles: FileStorage = {
  put: refused,
  get: refused,
  stream: refused,
  spool: refused,
  list: refused,
  age: refused,
  hold: refused,
  removeOlder: refused,
  putAs: refused,
}
