import type { Pages } from '../ground/pages.ts'
import { listOfOneMoment } from './consistent-list.ts'
import { listMemory } from './list-memory.ts'
import type { ListStore } from './list-store.ts'

/** As the store has them; tests look at what is behind. */
export interface OwnPages extends Pages {
  readonly own: ListStore
}

export function pages(store: Omit<ListStore, 'lists'>, lists = listMemory()): OwnPages {
  const own: ListStore = { ...store, lists }
  return {
    own,
    page: (granted, query) => listOfOneMoment(own, granted, query),
    idle: own.whole.idle,
  }
}
