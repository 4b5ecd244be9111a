import type { Spool } from './spool.ts'

/** Where bytes of file fields live, under the SHA-256 of their content in hex. */
export interface FileStorage {
  /** Durable when the promise resolves; storing what is there already costs nothing. Returns the hash. */
  put(bytes: Uint8Array): Promise<string>
  /** The same of what is not in memory; `hash` is that of the bytes. */
  putAs(hash: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  get(hash: string): Promise<Uint8Array | undefined>
  /** A Node readable stream of the bytes, or undefined where there are none. */
  stream(hash: string): Promise<NodeJS.ReadableStream | undefined>
  /** A new file for what is too large for memory. */
  spool(isDue?: boolean): Promise<Spool>
  /** Every hash there is, for sweeping and checking. */
  list(): AsyncIterable<string>
  /** Milliseconds since the bytes were last stored; undefined where there are none. */
  age(hash: string): Promise<number | undefined>
  /** Until the function it returns is called, nothing is removed: for who copies what records name at this moment. */
  hold(): () => void
  /** Removes bytes that were stored longer ago, and no others, also where they are just being stored anew, and nothing while somebody holds. Whether it did. */
  removeOlder(hash: string, milliseconds: number): Promise<boolean>
}
