/* What the rest of the program does with records; each function asks for the right it needs as a value. */
export { insertRecords, type ImportOptions } from './insert-records.ts'
export { listRecords, type ListQuery } from './list-records.ts'
export { getRecord, type RecordRow } from './read-records.ts'
export { createRecord, deleteRecord, updateRecord, type ChangeOptions, type CreateOptions } from './write-records.ts'
export type { FileObject, Sent, SentAttributes } from './sent.ts'
