/** Stands for a long value. Its JSON is a text that no record contains, since NUL is refused everywhere. */
export const left = { toJSON: () => '\0left' } as const
export const LEFT = JSON.stringify(left)

/** A record as one caller sees it. */
export interface RecordRow<Value = string> {
  readonly id: number
  /** Goes up with each change. */
  readonly version: number
  /** System and visible attributes as wire text, in the order of responses; the id is not among them. */
  readonly attributes: Readonly<Record<string, Value>>
}

/** A record some of whose long values may have been left in the database. */
export type ShownRecord = RecordRow<string | typeof left>
