import type { Store } from '../ground/store.ts'
import type { ListMemory } from './list-memory.ts'
import type { Ladders } from './page-anchors.ts'
import type { Ranks } from './ranks.ts'

/** What lists are answered from. */
export interface ListStore extends Pick<Store, 'db' | 'positions' | 'indexes' | 'context' | 'catalogue'> {
  readonly lists: ListMemory
  /** Where the engine runs in this process. */
  readonly ranks: Ranks | undefined
  /** Where other processes write too. */
  readonly orders: Ladders
}
