import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { check } from '../../src/filter/check.ts'
import { compile } from '../../src/filter/compile.ts'
import { parse } from '../../src/filter/parse.ts'
import { name, sql } from '../../src/sql/sql.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { createIndex } from '../../src/store/indexes/requested-indexes.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { grant } from '../../src/store/model/access.ts'
import { insertRecords } from '../../src/store/records/insert-records.ts'
import { deleteRecord, updateRecord } from '../../src/store/records/write-records.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { restore } from '../../src/store/structure/trash.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import * as fc from '../support/fast-check.ts'
import { selected } from '../support/indexed-table.ts'
import { scratchStore } from '../support/scratch-store.ts'

/*
 * What an index of words has of a record that changed since: of each column that changed the text before its first change, and nothing of the
 * others.
 */

const RECORDS = 12
const words = ['anna', 'berta', 'null', '__proto__', 'ёлка', '77', 'o"hara', "d'arc"]
const aText = fc
  .array(fc.constantFrom(...words, '😀', ''), { maxLength: 4 })
  .map((some) => some.join(' '))
  .map((text) => text.trim())

/** Text fields, more than SQLite takes in one call of a function where there are many, and a phone and a number. */
async function searchedTable(store: Store, texts: number) {
  const id = await createTable(store, operator, { title: 'Searched' })
  const types = [...Array<'text' | 'longtext'>(texts - 1).fill('text'), 'longtext', 'phone', 'integer'] as const
  const fields: string[] = []
  for (const [i, typeName] of types.entries())
    fields.push(`f${await createField(store, operator, { tableId: id, title: `Field ${i}`, typeName })}`)
  const may = () => grant(['create', 'update', 'delete', 'bulk'], id, operator, store.catalogue())
  const valueOf = (field: string, text: string) => (fields.indexOf(field) < texts ? text : `${7 + text.length}`)
  const aChange = fc.dictionary(fc.constantFrom(fields[0]!, fields[texts - 1]!, ...fields.slice(-2)), aText, { minKeys: 1 })
  const apply = (some: Record<string, string>) => new Map(Object.entries(some).map(([field, text]) => [field, valueOf(field, text)]))
  await insertRecords(
    store,
    may(),
    Array.from({ length: RECORDS }, (_, n) => new Map(fields.map((field) => [field, valueOf(field, words[n % words.length]!)]))),
  )
  await createIndex(store, operator, { tableId: id, attribute: '', kind: 'words' })
  await store.indexes.idle()
  return { id, fields, may, apply, aChange }
}

async function findings(store: Store): Promise<string[]> {
  const found: string[] = []
  for await (const finding of checkIntegrity(store)) found.push(finding)
  return found
}

describe('an index of words', () => {
  it('notes of a changed record what its columns had that changed, once', async () => {
    const { store, remove } = await scratchStore()
    try {
      const { id, fields, may } = await searchedTable(store, 3)
      const noted = async () =>
        (await store.db.read(sql`SELECT id, was FROM ${name(`data${id}__words_changed`)} ORDER BY id`))[0]!.map(([one, was]) => [
          Number(one),
          JSON.parse(String(was)),
        ])
      await updateRecord(store, may(), 1, new Map([[fields[0]!, 'other']]))
      await updateRecord(store, may(), 2, new Map([[fields[0]!, words[1]!]]))
      assert.deepEqual(await noted(), [[1, { [fields[0]!]: 'anna' }]])
      await updateRecord(store, may(), 1, new Map(fields.slice(0, 2).map((field) => [field, 'third'])))
      assert.deepEqual(await noted(), [[1, { [fields[0]!]: 'anna', [fields[1]!]: 'anna' }]])
      await deleteRecord(store, may(), 1)
      const [[, was]] = (await noted()) as [[number, Record<string, string>]]
      assert.deepEqual([was[fields[0]!], was[fields[1]!], was[fields[2]!]], ['anna', 'anna', 'anna'])
    } finally {
      await remove()
    }
  })

  for (const texts of [3, 70])
    it(`of ${texts} texts finds what a scan finds after any changes, before and after it is brought up to date`, async () => {
      const { store, remove } = await scratchStore()
      try {
        const { id, may, apply, aChange } = await searchedTable(store, texts)
        const table = () => store.catalogue().tables.get(id)!
        const isExact = async () => {
          for (const word of words.map((one) => one.replaceAll("'", "''"))) {
            const condition = check(parse(`search('${word}')`), { attributes: table().attributes, context: store.context })
            const find = (await store.indexes.pieces(table(), condition))!
            const plain = await selected(store, id, compile(condition, store.db.dialect))
            assert.ok(find.words, word)
            const by = compile(condition, store.db.dialect, find)
            assert.match(by.chunks.map((one) => ('text' in one ? one.text : '')).join(''), /MATCH/)
            const [rows] = await store.db.read(sql`SELECT id FROM ${name(`data${id}`)} WHERE ${by} ORDER BY id`)
            assert.deepEqual(
              rows!.map(([one]) => Number(one)),
              plain,
              word,
            )
          }
        }
        const step = fc.record({
          what: fc.constantFrom('change', 'change', 'change', 'delete', 'restore', 'create', 'catch up'),
          at: fc.nat(RECORDS - 1),
          change: aChange,
        })
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
            for (const { what, at, change } of steps) {
              const ids = await selected(store, id, sql`1 = 1`)
              const one = ids[at % ids.length]
              const [[trashed] = []] = (await store.db.read(sql`SELECT id FROM trash ORDER BY id LIMIT 1`))[0]!
              if (what === 'change' && one !== undefined) await updateRecord(store, may(), one, apply(change))
              else if (what === 'delete' && one !== undefined) await deleteRecord(store, may(), one)
              else if (what === 'restore' && trashed !== undefined) await restore(store, operator, Number(trashed))
              else if (what === 'create') await insertRecords(store, may(), [apply(change)])
              else if (what === 'catch up') assert.deepEqual(await findings(store), [])
            }
            await isExact()
          }),
          { numRuns: texts > 3 ? 20 : 60 },
        )
        assert.deepEqual(await findings(store), [])
        await isExact()
      } finally {
        await remove()
      }
    })
})
