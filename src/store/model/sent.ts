import type { Failure } from '../../errors.ts'

/** The content of a file that was too large for memory: decoded, in a file for as long as the request lasts. */
export class SpooledContent {
  /** Bytes. */
  readonly size: number
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  readonly read: () => AsyncIterable<Uint8Array>
  constructor(size: number, hash: string, read: SpooledContent['read']) {
    this.size = size
    this.hash = hash
    this.read = read
  }
}

/** Stands for content that should be base64 and is not. */
export const notBase64 = Symbol('not base64')

/** A file in a write: interface 6.1 to 6.4. Content as text is base64 when binary, else the literal text. */
export interface FileObject {
  readonly fileName: string
  readonly content: string | SpooledContent | typeof notBase64
  readonly binary: boolean
}

/**
 * What a client sent for one attribute, with JSON scalars as text. A Failure stands for a value of a wrong JSON type. It is reported
 * together with all other failures of the write.
 */
export type Sent = string | readonly string[] | readonly FileObject[] | Failure
export type SentAttributes = ReadonlyMap<string, Sent>
