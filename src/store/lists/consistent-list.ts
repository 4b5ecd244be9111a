import type { ListQuestion, PageRows } from './list-reader.ts'

/** How often a page is read again, and the milliseconds in between. */
const TRIES = 20
const PAUSE = 5

/**
 * A page and a total that belong together. Servers without a common snapshot commit one after the other: a page that is read
 * between two of those commits is not as long as its total says, and is read again.
 */
export async function consistentList({ offset, limit }: ListQuestion, read: () => Promise<PageRows>): Promise<PageRows> {
  for (let tries = TRIES; ; tries--) {
    const page = await read()
    if (tries === 0 || page.rows.length === Math.min(limit, Math.max(0, page.total - offset))) return page
    await new Promise((next) => setTimeout(next, PAUSE))
  }
}
