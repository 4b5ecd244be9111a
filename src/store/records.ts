/* What the rest of the program does with records; each function asks for the right it needs as a value. */
export { listRecords, type ListQuery } from './list-records.ts'
export { getRecord, type RecordRow } from './read-records.ts'
export {
  createRecord,
  deleteRecord,
  insertRecords,
  updateRecord,
  type ChangeOptions,
  type CreateOptions,
  type ImportOptions,
} from './write-records.ts'
export type { FileObject, Sent, SentAttributes } from './sent.ts'
