import type { FileStorage } from '../files/file-storage.ts'

export interface Copied {
  readonly copied: number
  /** Files that were there already. */
  readonly same: number
  /** The hashes of files whose bytes have another one. */
  readonly damaged: readonly string[]
}

/** Copies all bytes from one storage to another. Both may be in use; repeated, it copies what has come since. */
export async function copyAll(from: FileStorage, to: FileStorage, progress: (done: number) => Promise<void>): Promise<Copied> {
  let [copied, same] = [0, 0]
  const damaged: string[] = []
  for await (const hash of from.list()) {
    const [found, there] = [await from.stat(hash), await to.stat(hash)]
    const bytes = found && found.size !== there?.size ? await from.stream(hash) : undefined
    if (bytes && (await to.receive(bytes as AsyncIterable<Buffer>)).hash !== hash) damaged.push(hash)
    else if (bytes) copied++
    else same++
    await progress(copied + same + damaged.length)
  }
  return { copied, same, damaged }
}
