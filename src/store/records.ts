/* What the rest of the program does with records; each function asks for the right it needs as a value. */
export { insertRecords, type ImportOptions } from './insert-records.ts'
export type { ListQuery } from './list-records.ts'
export { listOfOneMoment as listRecords } from './one-moment.ts'
export { getRecord, type RecordRow, type ShownRecord } from './read-records.ts'
export { createRecord, deleteRecord, updateRecord, type ChangeOptions, type CreateOptions } from './write-records.ts'
export type { FileObject, Sent, SentAttributes } from './sent.ts'
