import type { Store } from '../../src/store/ground/store.ts'
import type { localPages, LocalParts } from '../../src/store/lists/local-pages.ts'
import type { OwnPages } from '../../src/store/lists/pages.ts'

/** What stands behind a store over SQLite. */
export const local = ({ pages }: Store): LocalParts => ((pages as OwnPages).own.whole as ReturnType<typeof localPages>).parts
