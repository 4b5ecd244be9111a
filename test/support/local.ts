import type { Store } from '../../src/store/ground/store.ts'
import type { localPages, LocalParts } from '../../src/store/lists/local-pages.ts'
import { partsOf } from './list-parts.ts'

/** What stands behind a store over SQLite. */
export const local = (store: Store): LocalParts => (partsOf(store).whole as ReturnType<typeof localPages>).parts
