import type { Failure } from '../errors.ts'

/** A file in a write: interface.md, "File field". Content is base64 when binary, else the literal text. */
export interface FileObject {
  readonly fileName: string
  readonly content: string
  readonly binary: boolean
}

/**
 * What a client may send for one attribute, after JSON scalars have become text. A failure stands for what has no
 * meaning at all: it is reported with all others of the write.
 */
export type Sent = string | readonly string[] | readonly FileObject[] | Failure
export type SentAttributes = ReadonlyMap<string, Sent>
