import type { Granted } from '../model/access.ts'
import type { ListQuery, Page } from '../ground/pages.ts'
import { listRecords } from './list-records.ts'
import type { ListStore } from './list-store.ts'

/** How often a page is read anew, with so many milliseconds between. */
const TRIES = 20
const PAUSE = 5

/**
 * A list as it was at one moment. Servers that have no snapshot in common commit one after the other: a page between them is
 * not as long as its total says, and is read again.
 */
export async function listOfOneMoment(store: ListStore, granted: Granted<'read'>, query: ListQuery): Promise<Page> {
  for (let tries = TRIES; ; tries--) {
    const page = await listRecords(store, granted, query)
    if (!store.db.dialect.keysApart || tries === 0 || fits(page, query)) return page
    await new Promise((next) => setTimeout(next, PAUSE))
  }
}

const fits = ({ records, total }: Page, { offset, limit }: ListQuery): boolean =>
  records.length === Math.min(limit, Math.max(0, total - offset))
