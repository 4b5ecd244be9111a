import { setListReader } from '../../src/store/lists/set-list-reader.ts'
import { sharedPages, type SharedParts } from '../../src/store/lists/shared-pages.ts'
import type { WholePages } from '../../src/store/lists/whole-pages.ts'
import type { AsideReader, LocalDb, Reader } from '../../src/store/ground/db.ts'
import { sqlListReader, type SqlListReader } from '../../src/store/lists/sql-list-reader.ts'
import type { ListReader } from '../../src/store/lists/list-reader.ts'
import { pages } from '../../src/store/lists/pages.ts'
import { partsOf, setPartsOf, setsOver } from './list-parts.ts'
import { parse } from '../../src/filter/parse.ts'
import { parseSort } from '../../src/filter/sort.ts'
import { name, sql, type Sql } from '../../src/sql/sql.ts'
import { grant, type Granted } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { recordsOf } from '../../src/store/model/catalogue.ts'
import type { Right } from '../../src/store/model/rights.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { nothingKnown } from '../../src/store/lists/list-memory.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createTable } from '../../src/store/structure/tables.ts'

/** A table with fields of the types that differ for an index, and some thousand records. */
export interface IndexedTable {
  readonly id: number
  /** Puts the fields' names in place of their titles. */
  named(text: string): string
  may<R extends Right>(...rights: R[]): Granted<R>
  list(filter: string | undefined, sort?: string, offset?: number, on?: Pick<Store, 'pages'>): Promise<{ ids: number[]; total: number }>
  /** What the database is asked for such a list. */
  statementsOf(filter: string | undefined, sort?: string, offset?: number): Promise<readonly Sql[]>
  /** What the engine says of how it reads such a list, a line for each step. */
  planOf(filter: string | undefined, sort?: string, offset?: number): Promise<string[]>
  /** The same of each statement by itself; the last one reads the page. */
  plansOf(filter: string | undefined, sort?: string, offset?: number): Promise<string[][]>
  /** The index of each kind by attribute: `f1 text`. */
  ready(): Promise<string[]>
  fill(count: number): Promise<void>
}

const options = ['Open', 'Won', 'Lost', 'Ёж', 'on hold', 'Deferred'].map((label) => ({ label }))
const fields = {
  title: ['text', {}],
  notes: ['longtext', {}],
  mail: ['email', {}],
  phone: ['phone', {}],
  amount: ['decimal', {}],
  count: ['integer', {}],
  flag: ['boolean', {}],
  due: ['date', {}],
  seen: ['datetime', {}],
  stage: ['list', { options }],
  tags: ['multilist', { options }],
  owner: ['user', {}],
  owners: ['users', {}],
} as const

const words = ['anna', 'Ёлка', 'o"hara', "d'arc", '100%', 'a*b', 'naïve', '😀😀😀', 'ｆｕｌｌ', 'e\u0301te', '(x)', 'AND', '-']

export async function indexedTable(store: Store, count: number): Promise<IndexedTable> {
  const id = await createTable(store, operator, { title: 'Large' })
  const names: Record<string, string> = {}
  for (const [title, [typeName, more]] of Object.entries(fields))
    names[title] = `f${await createField(store, operator, { tableId: id, title, typeName, ...more })}`
  const may = <R extends Right>(...rights: R[]) => grant(rights, id, operator, store.catalogue())
  const named = (text: string) => text.replace(new RegExp(`\\b(?:${Object.keys(fields).join('|')})\\b`, 'g'), (one) => names[one]!)
  let made = 0

  async function list(filter: string | undefined, sort = '', offset = 0, on: Pick<Store, 'pages'> = store) {
    const granted = may('read')
    const query = { filter: filter === undefined ? undefined : parse(named(filter)), sort: parseSort(named(sort), granted.allAttributes) }
    const { records, total } = await on.pages.page(granted, { ...query, offset, limit: 20 })
    return { ids: records.map((record) => record.id), total }
  }

  const row = (i: number) =>
    new Map(
      Object.entries({
        title: `${words[i % words.length]} ${words[(i * 7) % 12]} ${i}`,
        notes: `line ${i % 50}\r\n${words[(i * 5) % 11]}${words[i % 10]}`,
        mail: `person${i}@example${i % 20}.com`,
        phone: `+7 900 ${100 + (i % 800)}-${i % 10}${i % 7}`,
        amount: `${(i * 37) % 5000}.${10 + (i % 90)}`,
        count: `${(i * 13) % 700}`,
        flag: `${i % 2}`,
        due: i % 9 === 0 ? '' : `20${10 + (i % 20)}-0${1 + (i % 9)}-1${i % 9}`,
        seen: `2024-0${1 + (i % 9)}-11 1${i % 9}:00:00`,
        stage: options[i % 5]!.label,
        tags: options
          .slice(i % 4, (i % 4) + 1 + (i % 3))
          .map(({ label }) => label)
          .join('\r\n'),
      }).map(([title, value]) => [names[title]!, value]),
    )

  const table: IndexedTable = {
    id,
    named,
    may,
    list,
    planOf: async (filter, sort, offset) => (await table.plansOf(filter, sort, offset)).flat(),
    async statementsOf(filter, sort, offset) {
      const asked: Sql[] = []
      const read: typeof store.db.read = (...queries) => {
        asked.push(...queries)
        return store.db.read(...queries)
      }
      const aside: typeof store.db.readAside = (_, ...queries) => read(...queries)
      const reads = { read, readAside: aside, readLittle: aside }
      const db = { ...store.db, ...reads, forLists: reads }
      const parts = partsOf(store)
      const memory = { of: () => nothingKnown, learn() {} }
      const bySql = sqlListReader({ ...parts, db, whole: noting(parts.whole, reads), memory })
      const reader = 'readNow' in store.db ? overSets(store, bySql, asked) : bySql
      await list(filter, sort, offset, { pages: pages({ ...store, db }, reader) })
      return asked
    },
    async plansOf(filter, sort, offset) {
      const asked = await table.statementsOf(filter, sort, offset)
      const plans = await store.db.read(...asked.map((query) => sql`EXPLAIN QUERY PLAN ${query}`))
      return plans.map((plan) => plan.map((step) => String(step[3])))
    },
    async ready() {
      const [rows] = await store.db.read(
        sql`SELECT attribute || ' ' || kind FROM indexes WHERE state = 'ready' AND table_id = ${id} ORDER BY id`,
      )
      return rows!.map(([one]) => String(one))
    },
    async fill(more) {
      const granted = may('create', 'bulk')
      for (const last = made + more; made < last;) {
        const rows = Array.from({ length: Math.min(500, last - made) }, () => row(made++))
        const failed = (await insertRecords(store, granted, rows)).find((one) => typeof one !== 'number')
        if (failed) throw failed
      }
    },
  }
  await table.fill(count)
  return table
}

/** The same pages of whole tables, read in this way. Over several servers, only what `reads` is asked. */
function noting(whole: WholePages, reads: Reader & AsideReader): WholePages {
  const { parts } = whole as { readonly parts?: SharedParts }
  return parts ? sharedPages({ ...parts, db: { ...parts.db, ...reads, forLists: reads } }) : whole
}

/** From sets of which nothing is known yet; what they are read by is noted. */
function overSets(store: Store, bySql: SqlListReader, asked: Sql[]): ListReader {
  const parts = setPartsOf(store)
  const noted = (query: Sql): Sql => {
    asked.push(query)
    return query
  }
  const db: LocalDb = {
    ...parts.db,
    readSetAside: (by, query) => parts.db.readSetAside(by, { ...query, ids: noted(query.ids) }),
    readOrderAside: (by, ids) => parts.db.readOrderAside(by, noted(ids)),
    readNow: (...queries) => parts.db.readNow(...queries.map(noted)),
  }
  return setListReader({ ...parts, db, bySql, sets: setsOver(store, db) })
}

/** Ids that a condition selects, found without any index. */
export const selected = async (store: Store, tableId: number, condition: Sql): Promise<number[]> =>
  (await store.db.read(sql`SELECT id FROM ${name(recordsOf(tableId))} NOT INDEXED WHERE ${condition} ORDER BY id`))[0]!.map(([id]) =>
    Number(id),
  )
