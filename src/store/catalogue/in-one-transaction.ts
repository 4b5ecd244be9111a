import type { Sql } from '../../sql/sql.ts'
import type { Row } from '../ground/db.ts'
import type { Store } from '../ground/store.ts'
import { loadCatalogue } from './load-catalogue.ts'

/**
 * Several changes of structure and rights, all of them or none. The functions that make one change each get a store whose writes are parts
 * of one transaction: it reads what the changes before have written, and its catalogue has them.
 */
export function inOneTransaction<T>(store: Store, work: (within: Store) => Promise<T>): Promise<T> {
  return store.restructure(async (tx) => {
    let catalogue = store.catalogue()
    const read = async (...queries: Sql[]): Promise<Row[][]> => {
      const answers: Row[][] = []
      for (const query of queries) answers.push(await tx.all(query))
      return answers
    }
    const db: Store['db'] = { ...store.db, dialect: store.db.dialect, read, write: (part) => part(tx) }
    const restructure: Store['restructure'] = async (part) => {
      const result = await part(tx)
      catalogue = await loadCatalogue(read, db.dialect, catalogue)
      return result
    }
    return work({ ...store, db, catalogue: () => catalogue, restructure, changePeople: restructure })
  })
}
