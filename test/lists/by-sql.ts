import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { openInstallation } from '../../src/app/installation.ts'
import { readConfig } from '../../src/config.ts'
import { parse } from '../../src/filter/parse.ts'
import { parseSort } from '../../src/filter/sort.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { DATABASE } from '../../src/store/files/data-directory.ts'
import { pages } from '../../src/store/lists/pages.ts'
import { grant } from '../../src/store/model/access.ts'
import { setPartsOf } from '../support/list-parts.ts'
import { write, type Question } from '../support/oracle/answer.ts'
import type { Asked } from './asked.ts'
import type { Nodes } from './nodes.ts'
import type { ListedTable } from './table.ts'

/** The same list by SQL alone, of the same PostgreSQL or of a copy of the file as it is now. `rule`: of a reader. */
export interface BySql {
  list(asked: Asked, rule: Question | undefined): Promise<{ readonly ids: readonly string[]; readonly total: number }>
  close(): Promise<void>
}

export async function openBySql(nodes: Nodes, { id: tableId }: ListedTable): Promise<BySql> {
  const copy = nodes.program.at('copy')
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(copy)
  if (!nodes.hasDatabase) {
    const source = new Database(join(nodes.program.data, DATABASE), { readonly: true })
    source.prepare('VACUUM INTO ?').run(join(copy, DATABASE))
    source.close()
    if (!existsSync(join(copy, DATABASE))) throw new Error('there is no copy')
  }
  const { store, close } = await openInstallation(readConfig({}, { KARTOTEKA_DATA: copy, ...nodes.settings }))
  const bySql = pages(store, setPartsOf(store).bySql)
  return {
    close,
    async list({ question, keys, offset, limit }, rule) {
      const granted = { ...grant(['read'], tableId, operator, store.catalogue()), readFilter: rule ? write(rule) : '' }
      const text = keys.map(({ column, descending }) => (descending ? '-' : '') + column.name).join()
      const { records, total } = await bySql.page(granted, {
        filter: question && parse(write(question)),
        sort: parseSort(text, granted.allAttributes),
        offset,
        limit,
      })
      return { ids: records.map(({ id }) => String(id)), total }
    },
  }
}
