import { ApiError, send, type Document, type Resource } from './client.ts'
import { keepFiles } from './records.ts'

/*
 * Files of a record are put in order and taken away by a list of their names, which says of all of them what is to be. So the list is made of
 * the files that are there now, and holds only for the record as it was then: what somebody else adds, moves or takes away meanwhile stays.
 */

/** Another file than the one that was seen has this name by now, or none. */
export class FileGone extends Error {}

/** A file as it was seen: another one of its name has another id. */
export interface SeenFile {
  readonly id: string
  readonly name: string
}

/** So often others may write in between. */
const TRIES = 5

/** Takes a file away. @throws FileGone, ApiError */
export const removeFile = (table: number, field: string, record: string, file: SeenFile): Promise<Document<Resource> | undefined> =>
  changeFiles(table, field, record, (now) => {
    mustBeThere(now, file)
    return now.filter(({ name }) => name !== file.name)
  })

/** Puts a file before another one, or behind all. Where that one is gone, it goes behind all. @throws FileGone, ApiError */
export const moveFile = (
  table: number,
  field: string,
  record: string,
  file: SeenFile,
  before: string | undefined,
): Promise<Document<Resource> | undefined> =>
  changeFiles(table, field, record, (now) => {
    mustBeThere(now, file)
    const rest = now.filter(({ name }) => name !== file.name)
    const at = rest.findIndex(({ name }) => name === before)
    return rest.toSpliced(at === -1 ? rest.length : at, 0, file)
  })

function mustBeThere(now: readonly SeenFile[], file: SeenFile): void {
  if (!now.some(({ id, name }) => id === file.id && name === file.name)) throw new FileGone()
}

/** Undefined: there was nothing to change. */
async function changeFiles(
  table: number,
  field: string,
  record: string,
  next: (now: readonly SeenFile[]) => readonly SeenFile[],
): Promise<Document<Resource> | undefined> {
  for (let tries = 1; ; tries++) {
    // The tag first: what is changed between the two is refused.
    const { etag } = await send<Resource>('GET', `data${table}/${encodeURIComponent(record)}`)
    const { data } = await send<readonly Resource[]>('GET', `file/${table}/${field}/${encodeURIComponent(record)}`)
    const now = data.map(({ id, attributes }) => ({ id, name: String(attributes['file_name']) }))
    const names = next(now).map(({ name }) => name)
    if (names.join('\n') === now.map(({ name }) => name).join('\n')) return undefined
    try {
      return await keepFiles(table, field, record, names, etag)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || tries === TRIES) throw error
    }
  }
}
