import type { Transaction, WriteOptions } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'

/** Does work as a write does it, with every check, and undoes it: what it would have returned. It must not be `apart` from other writes. */
export async function rehearse<T>(store: Uses<'db'>, work: (tx: Transaction) => Promise<T>, options: WriteOptions = {}): Promise<T> {
  let result: { readonly value: T } | undefined
  const end = new Error('A rehearsal ends.')
  try {
    await store.db.write(async (tx) => {
      result = { value: await work(tx) }
      throw end
    }, options)
  } catch (error) {
    if (error !== end) throw error
  }
  return result!.value
}
