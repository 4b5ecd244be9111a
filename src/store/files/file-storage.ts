import type { Spool } from './spool.ts'

/** Storage for the bytes of file fields, by their SHA-256 in hex. */
export interface FileStorage {
  /** Stores bytes; durable when the promise resolves. Bytes that are stored already are not written again. Returns the hash. */
  put(bytes: Uint8Array): Promise<string>
  /** The same for bytes that are not in memory; `hash` is theirs. */
  putAs(hash: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  get(hash: string): Promise<Uint8Array | undefined>
  /** A Node readable stream of the bytes; undefined where they are not stored. */
  stream(hash: string): Promise<NodeJS.ReadableStream | undefined>
  /** A new spool file, for what is too large for memory. `isDue`: also beyond the limit of all spool files. */
  spool(isDue?: boolean): Promise<Spool>
  /** All hashes, for sweeping and checking. */
  list(): AsyncIterable<string>
  /** Milliseconds since the bytes were last stored; undefined where there are none. */
  age(hash: string): Promise<number | undefined>
  /** Until the returned function is called, nothing is removed. For a backup, which copies the files of records. */
  hold(): () => void
  /** Removes bytes that were last stored more than `milliseconds` ago. Keeps them if they are stored again meanwhile, or during `hold`. Returns whether it removed them. */
  removeOlder(hash: string, milliseconds: number): Promise<boolean>
}
