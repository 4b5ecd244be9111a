import type { Spool } from './spool.ts'

/** Bytes that are stored. */
export interface StoredBytes {
  /** SHA-256 in hex. */
  readonly hash: string
  readonly size: number
}

/** A part of some bytes: their places from `start` to `end`, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** What is known of stored bytes without reading them. */
export interface Stored {
  readonly size: number
  /** Milliseconds since they were last stored. */
  readonly age: number
}

/** Whether a record, the trash or a change in the log names bytes. */
export type IsNamed = (hash: string) => Promise<boolean>

/** How many requests a storage has sent elsewhere, by method and result. */
export interface StorageRequests {
  readonly labels: { readonly method: string; readonly result: string }
  readonly value: number
}

/**
 * Storage for the bytes of file fields, by their SHA-256 in hex: a directory (local-files.ts) or a bucket (s3/s3-files.ts). Several
 * processes may use one.
 * @throws `server.files_unavailable` from every method, where it is elsewhere and does not do what it should
 */
export interface FileStorage {
  /** Stores bytes; durable when the promise resolves. Bytes that are stored already are not written again. Returns the hash. */
  put(bytes: Uint8Array): Promise<string>
  /** The same for bytes that are not in memory; `hash` is theirs. */
  putAs(hash: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  /** Stores bytes as they arrive; they are hashed meanwhile. Where they end with an error, nothing of them is left. */
  receive(bytes: AsyncIterable<Uint8Array>): Promise<StoredBytes>
  /** A Node readable stream of the bytes, or of a part of them; undefined where they are not stored. */
  stream(hash: string, range?: ByteRange): Promise<NodeJS.ReadableStream | undefined>
  /** A new spool file, for what is too large for memory. `isDue`: also beyond the limit of all spool files. */
  spool(isDue?: boolean): Promise<Spool>
  /** Bytes that can still be stored. */
  room(): Promise<number>
  /** All hashes. */
  list(): AsyncIterable<string>
  /** Undefined where the bytes are not stored. */
  stat(hash: string): Promise<Stored | undefined>
  /** Until the returned function is called, nothing is removed. For a backup, which copies the files of records. */
  hold(): () => void
  /**
   * Removes bytes that nothing names and that were last stored more than `milliseconds` ago, unless they are stored again meanwhile or it is
   * during `hold`; and what is left of bytes whose storing was interrupted so long ago. Returns how many.
   */
  sweep(isNamed: IsNamed, milliseconds: number): Promise<number>
  /** What is made from stored bytes and can be made again, by a short name; it goes with them. */
  readonly small: {
    get(hash: string, name: string): Promise<Uint8Array | undefined>
    put(hash: string, name: string, bytes: Uint8Array): Promise<void>
  }
  /** Resolves if the storage can be used now; asked often, it may answer what it found some seconds ago. */
  reach(): Promise<void>
  requests(): readonly StorageRequests[]
}
