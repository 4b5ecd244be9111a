import type { Uses } from '../ground/store.ts'
import type { ListMemory } from './list-memory.ts'
import type { WholePages } from './whole-pages.ts'

/** What lists are answered from. */
export interface ListStore extends Uses<'db' | 'positions' | 'indexes' | 'context' | 'catalogue'> {
  readonly whole: WholePages
  readonly lists: ListMemory
}
