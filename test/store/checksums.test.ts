import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { name, sql } from '../../src/sql/sql.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import type { Db, Row } from '../../src/store/ground/db.ts'
import { checksumOf, fillChecksums, hashOf } from '../../src/store/records/checksums.ts'
import { startService, type Service } from '../support/service.ts'

describe('checksums of records', () => {
  let service: Service
  let table: Awaited<ReturnType<Service['table']>>
  let type: string
  const findings = async () => {
    const all: string[] = []
    for await (const finding of checkIntegrity(service.store)) all.push(finding)
    // What check finds by the log of changes is test/store/check-log.test.ts.
    return all.filter((finding) => !finding.includes('newest change'))
  }
  const execute = (statement: ReturnType<typeof sql>) => service.store.db.write((tx) => tx.run(statement))
  const unknown = async () => {
    const twins = [`data${table.id}`, `trash${table.id}`]
    const counts = await service.store.db.read(...twins.map((twin) => sql`SELECT count(*) FROM ${name(twin)} WHERE checksum < 0`))
    return counts.map((rows) => Number(rows[0]![0]))
  }
  /** Records whose update_time no checksum covers. */
  const timeless = async () => {
    const twins = [`data${table.id}`, `trash${table.id}`]
    const counts = await service.store.db.read(
      ...twins.map((twin) => sql`SELECT count(*) FROM ${name(twin)} WHERE checksum >= 0 AND checksum < 2147483648`),
    )
    return counts.map((rows) => Number(rows[0]![0]))
  }
  const values = (i: number) => ({
    [table.fields['title']!]: `Kunde ${i} Ёлка`,
    [table.fields['notes']!]: `line\r\n${'é'.repeat(i)}`,
    [table.fields['amount']!]: `-12345678901234.0${i % 10}`,
    [table.fields['when']!]: '2026-02-03 04:05:06',
    [table.fields['state']!]: i % 2 === 0 ? 'won' : 'lost',
    [table.fields['tags']!]: ['a', 'b'],
    [table.fields['paper']!]: [{ file_name: `${i}.txt`, content: 'text' }],
  })

  before(async () => {
    service = await startService()
    table = await service.table('Deals', {
      title: 'text',
      notes: 'longtext',
      amount: 'decimal',
      when: 'datetime',
      state: { typeName: 'list', options: [{ label: 'won' }, { label: 'lost' }] },
      tags: { typeName: 'multilist', options: [{ label: 'a' }, { label: 'b' }] },
      paper: 'file',
      number: 'autonumber',
    })
    type = `data${table.id}`
    for (let i = 1; i <= 12; i++) await service.make(type, values(i))
  })
  after(() => service.close())

  it('fit the records whatever was done to them', async () => {
    const f = table.fields as Record<string, string>
    const must = async (answer: Promise<{ status: number; text: string }>) => {
      const { status, text } = await answer
      assert.ok(status < 300, `${status} ${text}`)
      // Whatever comes next is written at another time.
      service.clock.now += 1_000
    }
    service.clock.now += 1_000
    await must(service.change(type, '1', { [f['title']!]: 'other', [f['amount']!]: '0', [f['notes']!]: '' }))
    await must(service.change(type, '1', { status: '1', [f['notes']!]: 'again', [f['paper']!]: [] }))
    await must(service.remove(`${type}/2`))
    await must(service.remove(`${type}/3`))
    const { json } = await service.get('trash')
    await must(
      service.call(
        'POST',
        `trash/${json.data.find((one: { attributes: { item_id: number } }) => one.attributes.item_id === 3).id}/restore`,
      ),
    )
    assert.deepEqual(await findings(), [])
    const field = (name: string) => f[name]!.slice(1)
    await must(service.change('field', field('amount'), { field_type: 'text' }))
    await must(service.change('field', field('state'), { options: ['Won!', 'lost'] }))
    await must(service.change('field', field('title'), { field_type: 'integer' }, undefined, '?convertMode=lossy'))
    await must(service.add('field', { table_id: table.id, field_name: 'Second number', field_type: 'autonumber' }))
    assert.deepEqual(await findings(), [])
    await must(service.remove(`field/${field('notes')}`))
    await must(service.change(type, '4', { [f['amount']!]: 'changed while a field is in the trash' }))
    assert.deepEqual(await findings(), [])
    const trashed = (await service.get('trash')).json.data.find((one: { attributes: { kind: string } }) => one.attributes.kind === 'field')
    await must(service.remove(`trash/${trashed.id}`))
    assert.deepEqual(await findings(), [])
    assert.deepEqual(await unknown(), [0, 0])
    assert.deepEqual(await timeless(), [0, 0])
  })

  it('tell which record has another update_time than was written, live or in the trash', async () => {
    const later = (twin: string, id: number) =>
      execute(sql`UPDATE ${name(twin)} SET update_time = substr(update_time, 1, 18) || '7' WHERE id = ${id}`)
    const earlier = (twin: string, id: number, time: string) =>
      execute(sql`UPDATE ${name(twin)} SET update_time = ${time} WHERE id = ${id}`)
    const times = async (twin: string, id: number) =>
      String((await service.store.db.read(sql`SELECT update_time FROM ${name(twin)} WHERE id = ${id}`))[0]![0]![0])
    for (const [twin, id] of [
      [type, 5],
      [`trash${table.id}`, 2],
    ] as const) {
      const time = await times(twin, id)
      await later(twin, id)
      assert.notEqual(await times(twin, id), time)
      assert.deepEqual(
        (await findings()).map((one) => one.replace(/.*(record \d+:.*)/, '$1')),
        [`record ${id}: its values are not those that were written.`],
      )
      await earlier(twin, id, time)
      assert.deepEqual(await findings(), [])
    }
  })

  it('have nothing of the update_time of records that were not written since they cover it', async () => {
    await execute(sql`UPDATE ${name(type)} SET checksum = checksum & 2147483647`)
    assert.deepEqual(await findings(), [])
    assert.deepEqual(await timeless(), [11, 0])
    await service.change(type, '5', { status: '1' })
    assert.deepEqual([await findings(), await timeless()], [[], [10, 0]])
    await execute(sql`UPDATE ${name(type)} SET update_time = '2001-01-01 00:00:00' WHERE id IN (5, 6)`)
    assert.equal((await findings()).length, 1)
    await service.change(type, '5', { status: '0' })
    await service.change(type, '6', { status: '1' })
    assert.deepEqual([await findings(), await timeless()], [[], [9, 0]])
  })

  it('tell which record holds other values than were written, live or in the trash', async () => {
    const column = table.fields['when']!
    await execute(sql`UPDATE ${name(type)} SET ${name(column)} = '2026-02-03 04:05:07' WHERE id = 5`)
    await execute(sql`UPDATE ${name(`trash${table.id}`)} SET user_id = user_id + 1 WHERE id = 2`)
    assert.deepEqual(
      (await findings()).map((one) => one.replace(/.*(record \d+:.*)/, '$1')),
      ['record 5: its values are not those that were written.', 'record 2: its values are not those that were written.'],
    )
    await execute(sql`UPDATE ${name(type)} SET ${name(column)} = '2026-02-03 04:05:06' WHERE id = 5`)
    await execute(sql`UPDATE ${name(`trash${table.id}`)} SET user_id = user_id - 1 WHERE id = 2`)
    assert.deepEqual(await findings(), [])
  })

  it('still tell of it after the same value was changed by a request', async () => {
    const column = table.fields['when']!
    await execute(sql`UPDATE ${name(type)} SET ${name(column)} = '2026-02-03 04:05:07' WHERE id = 6`)
    await service.change(type, '6', { [column]: '2027-01-01 00:00:00' })
    assert.equal((await findings()).length, 1)
    await execute(sql`UPDATE ${name(type)} SET checksum = -1 WHERE id = 6`)
  })

  it('are given later to records that were written before there were any', async () => {
    await execute(sql`UPDATE ${name(type)} SET checksum = -1`)
    await service.change(type, '7', { [table.fields['when']!]: '2027-01-01 00:00:00' })
    assert.deepEqual(await findings(), [])
    assert.deepEqual(await unknown(), [12 - 1, 0])
    assert.equal(await fillChecksums(service.store.db), 11)
    assert.equal(await fillChecksums(service.store.db), 0)
    assert.deepEqual(await unknown(), [0, 0])
    assert.deepEqual(await findings(), [])
  })

  it('are given by the values of then to a record that is changed after it was read', async () => {
    await execute(sql`UPDATE ${name(type)} SET checksum = -1`)
    await execute(sql`DELETE FROM meta WHERE name = 'checksums'`)
    const change = sql`UPDATE ${name(type)} SET version = version + 1, ${name(table.fields['when']!)} = '2028-01-01 00:00:00' WHERE id = 8`
    let changes = 0
    const { db } = service.store
    const watched: Db = {
      ...db,
      write: (work, options) =>
        db.write((tx) => {
          const all = async (query: typeof change) => {
            const rows = await tx.all(query)
            if ((rows[0]?.length ?? 0) > 5 && changes++ === 0) await tx.run(change)
            return rows
          }
          return work({ ...tx, all })
        }, options),
    }
    assert.equal(await fillChecksums(watched), 11)
    assert.equal(changes, 2)
    assert.deepEqual(await unknown(), [0, 0])
    assert.deepEqual(await findings(), [])
  })

  it('are compared and given in steps that hold some megabytes, however long the texts are', async () => {
    const long = await service.table('Long', { notes: 'longtext' })
    for (let i = 0; i < 30; i++) await service.make(`data${long.id}`, { [long.fields['notes']!]: `${i} `.padEnd(1_000_000, 'text ') })
    await execute(sql`UPDATE ${name(`data${long.id}`)} SET checksum = -1`)
    await execute(sql`DELETE FROM meta WHERE name = 'checksums'`)
    let most = 0
    const seen = <T extends readonly Row[]>(rows: T): T => {
      const length = (one: unknown) => (typeof one === 'string' ? one.length : 0)
      most = Math.max(
        most,
        rows.flat().reduce<number>((sum, one) => sum + length(one), 0),
      )
      return rows
    }
    const { db } = service.store
    const watched: Db = {
      ...db,
      read: async (...queries) => (await db.read(...queries)).map(seen),
      write: (work, options) => db.write((tx) => work({ ...tx, all: async (query) => seen(await tx.all(query)) }), options),
    }
    assert.equal(await fillChecksums(watched), 30)
    for await (const finding of checkIntegrity({ ...service.store, db: watched }))
      if (!finding.includes('newest change')) assert.fail(finding)
    assert.ok(most > 5_000_000 && most < 10_000_000, String(most))
  })

  it('differ for values in other columns, in another order, and by one bit', () => {
    const of = (row: readonly string[]) =>
      checksumOf(
        [
          ['f1', 0],
          ['f2', 1],
        ],
        row,
        '2026-02-03 04:05:06',
      )
    const base = of(['ab', 'c'])
    for (const other of [
      ['c', 'ab'],
      ['a', 'bc'],
      ['ab', 'b'],
      ['ab', ''],
      ['abc', ''],
    ])
      assert.notEqual(of(other), base)
    assert.notEqual(hashOf('f1', '1x'), hashOf('f11', 'x'))
    const seen = new Set(Array.from({ length: 100_000 }, (_, i) => hashOf('f1', i + 1)))
    // Chance makes two or three of these pairs equal.
    assert.ok(seen.size > 99_980, String(seen.size))
  })
})
