import type { Batch } from './batch-queue.ts'
import { allKept, lastPerson } from './kept.ts'
import type { Write } from './write-queue.ts'

/** What the last person has left, while the service cannot say who is signed in. */
export const lastKept = (): { readonly writes: readonly Write[]; readonly batches: readonly Batch[] } => ({
  writes: [...allKept<Write>('write', lastPerson()).values()],
  batches: [...allKept<Batch>('batch', lastPerson()).values()],
})
