import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { name, sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { grant } from '../../src/store/model/access.ts'
import type { Sent, SentAttributes } from '../../src/store/model/sent.ts'
import { createRecord } from '../../src/store/records/write-records.ts'
import { createField, updateField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { scratchStore } from '../support/scratch-store.ts'

describe('conversions of many records', () => {
  let scratch: Awaited<ReturnType<typeof scratchStore>>
  before(async () => void (scratch = await scratchStore()))
  after(() => scratch.remove())

  const faults = async () => {
    const found: string[] = []
    for await (const fault of checkIntegrity(scratch.store)) found.push(fault)
    return found
  }

  it('write every text as it was, whatever stands in it, in statements of a bounded length', async () => {
    const { store } = scratch
    const tableId = await createTable(store, operator, { title: 'Texts' })
    const field = (title: string, typeName: string, more = {}) => createField(store, operator, { tableId, title, typeName, ...more })
    const hostile = [
      '"',
      '\\',
      "'",
      '\\"',
      '{}',
      '{"a",NULL}',
      'NULL',
      'null',
      '[1,2]',
      '\u0001',
      '😀\u{10ffff}',
      'ǅ İ ß',
      '0',
      '-0',
      '%_*',
    ]
    const labels = Array.from({ length: 100 }, (_, i) => `${i} ${hostile[i % hostile.length]} ${'x'.repeat(200)}`)
    const line = await field('Text', 'text')
    const tags = await field('Tags', 'multilist', { options: labels.map((label) => ({ label })) })
    const texts = ['', ...hostile, ...Array.from({ length: 600 }, (_, i) => `n ${i}`)]
    const granted = grant('create', tableId, operator, store.catalogue())
    const tagged = (i: number) => (i % 10 === 0 ? labels : [])
    const made = await Promise.all(
      texts.map(async (one, i) => {
        const values: SentAttributes = new Map<string, Sent>([
          [`f${line}`, one],
          [`f${tags}`, tagged(i)],
        ])
        return (await createRecord(store, granted, values)).id
      }),
    )
    await updateField(store, operator, line, { typeName: 'longtext' })
    await updateField(store, operator, tags, { typeName: 'longtext' })
    const [rows] = await store.db.read(sql`SELECT id, ${name(`f${line}_2`)}, ${name(`f${tags}_2`)} FROM ${name(`data${tableId}`)}`)
    const stored = new Map(rows!.map(([id, ...values]) => [Number(id), values]))
    for (const [i, one] of texts.entries()) {
      const [text, joined] = stored.get(made[i]!)!
      assert.equal(text, one)
      assert.ok(joined === tagged(i).join('\r\n'), `tags of ${i}`)
    }
    assert.deepEqual(await faults(), [])
  })
})
