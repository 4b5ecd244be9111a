import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { name, sql } from '../../src/sql/sql.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { makeTable, type Table } from '../support/scene.ts'
import { startService, type Service } from '../support/service.ts'

type Statement = ReturnType<typeof sql>

describe('check compares the log of changes with the records', () => {
  let service: Service
  let deals: Table
  let f: Record<string, string>
  let live: ReturnType<typeof name>
  let trash: ReturnType<typeof name>
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', {
      title: 'text',
      notes: 'longtext',
      amount: 'decimal',
      state: { field_type: 'list', options: ['won', 'lost'] },
      paper: 'file',
      other: 'text',
    })
    f = deals.f
    ;[live, trash] = [name(deals.type), name(`trash${deals.id}`)]
    for (let i = 1; i <= 30; i++) await service.make(deals.type, values(i))
  })
  after(() => service.close())

  const values = (i: number) => ({
    [f['title']!]: `Kunde ${i}`,
    [f['notes']!]: `line\r\n${'é'.repeat(i)}`,
    [f['amount']!]: `-12345678901234.0${i % 10}`,
    [f['state']!]: i % 2 === 0 ? 'won' : 'lost',
    [f['paper']!]: [{ file_name: `${i}.txt`, content: `text ${i}` }],
  })
  const must = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer
    assert.ok(status < 300, `${status} ${text}`)
  }
  /** What check says about the log. */
  async function findings(): Promise<string[]> {
    const all: string[] = []
    for await (const finding of checkIntegrity(service.store)) all.push(finding)
    return all.filter((one) => one.includes('change'))
  }
  const about = (record: number | string) => `Table ${deals.id} (Deals), record ${record}`
  const damage = (statement: Statement) => service.store.db.write((tx) => tx.run(statement))
  /** What check finds between a damage and its repair. */
  async function found(broken: Statement, mended: Statement): Promise<string[]> {
    await damage(broken)
    try {
      return await findings()
    } finally {
      await damage(mended)
    }
  }
  const entry = async (record: number): Promise<string> =>
    (await service.get(`trash?filter=and(eq(kind,'record'),eq(item_id,${record}))`)).json.data[0].id

  it('finds nothing after writes of every kind', async () => {
    const { title, notes, amount, state, paper, other } = f as Record<string, string>
    await must(service.change(deals.type, '1', { [title!]: 'new', [notes!]: '', [amount!]: '7' }))
    await must(service.change(deals.type, '2', { status: '1', [paper!]: [] }))
    for (const id of [3, 4, 5, 6]) await must(service.remove(`${deals.type}/${id}`))
    await must(service.call('POST', `trash/${await entry(3)}/restore`))
    await must(service.remove(`trash/${await entry(4)}`))
    // Fields come back that were in the trash while records were there, and while they were changed.
    await must(service.remove(`field/${other!.slice(1)}`))
    await must(service.remove(`field/${notes!.slice(1)}`))
    await must(service.call('POST', `trash/${await entry(5)}/restore`))
    const trashed = (await service.get(`trash?filter=eq(item_id,${notes!.slice(1)})`)).json.data.find(
      (one: { attributes: { kind: string } }) => one.attributes.kind === 'field',
    )
    await must(service.call('POST', `trash/${trashed.id}/restore`))
    await must(service.change('field', amount!.slice(1), { field_type: 'text' }))
    await must(service.change('field', state!.slice(1), { options: ['Won!', 'lost'] }))
    await must(service.add('field', { table_id: deals.id, field_name: 'Number', field_type: 'autonumber' }))
    const field = (await service.get(`trash?filter=eq(item_id,${other!.slice(1)})`)).json.data.find(
      (one: { attributes: { kind: string } }) => one.attributes.kind === 'field',
    )
    await must(service.remove(`trash/${field.id}`))
    assert.deepEqual(await findings(), [])
  })

  it('finds a value that was changed by hand, and names table, record and attribute', async () => {
    const { title, notes } = f as Record<string, string>
    const column = name(title!)
    const set = (text: string) => sql`UPDATE ${live} SET ${column} = ${text} WHERE id = 7`
    const [created] = (await service.get('change?filter=eq(record_id,7)')).json.data
    assert.deepEqual(await found(set('by hand'), set('Kunde 7')), [
      `${about(7)}, title: its value is not that of its newest change (${created.id}).`,
    ])
    const noted = (text: string) => sql`UPDATE ${trash} SET ${name(notes!)} = ${text} WHERE id = 6`
    const [deleted] = (await service.get(`change?filter=and(eq(record_id,6),eq(action,'delete'))`)).json.data
    assert.deepEqual(await found(noted('by hand'), noted(`line\r\n${'é'.repeat(6)}`)), [
      `${about(6)}, notes: its value is not that of its newest change (${deleted.id}).`,
    ])
  })

  it('finds a value that no change gave, in a record whose creation is in the log', async () => {
    const id = Number(await service.make(deals.type, { [f['title']!]: 'bare' }))
    const set = (text: string) => sql`UPDATE ${live} SET ${name(f['notes']!)} = ${text} WHERE id = ${id}`
    assert.deepEqual(await found(set('by hand'), set('')), [`${about(id)}, notes: it has a value, and no change gave it one.`])
    await damage(sql`DELETE FROM changes WHERE record_id = ${id}`)
    assert.deepEqual(await found(set('by hand'), set('')), [], 'older than the log')
  })

  it('finds other bytes under the name of a file', async () => {
    const rename = (from: string, to: string) => sql`UPDATE files SET hash = ${to} WHERE record_id = 8 AND hash = ${from}`
    const [[row]] = (await service.store.db.read(sql`SELECT hash FROM files WHERE record_id = 8`)) as [string[][]]
    const [[other]] = (await service.store.db.read(sql`SELECT hash FROM files WHERE record_id = 9`)) as [string[][]]
    const all = await found(rename(row![0]!, other![0]!), rename(other![0]!, row![0]!))
    assert.equal(all.length, 1)
    assert.match(all[0]!, new RegExp(`record 8, paper: its value is not that of its newest change`))
  })

  it('finds a record that was lost, one that was deleted and is there, and one that was erased and is there', async () => {
    const columns = (await service.store.db.write((tx) => tx.all(service.store.db.dialect.columns)))
      .filter(([table]) => table === deals.type)
      .map(([, column]) => name(String(column)))
    const list = columns.reduce((all, one) => sql`${all}, ${one}`)
    const move = (from: ReturnType<typeof name>, to: ReturnType<typeof name>, id: number) =>
      sql`INSERT INTO ${to} (${list}) SELECT ${list} FROM ${from} WHERE id = ${id}`
    await damage(move(live, trash, 10))
    await damage(sql`DELETE FROM ${live} WHERE id = 10`)
    assert.deepEqual(await findings(), [`${about(10)}: its newest change says that it is in the table, and it is in the trash.`])
    await damage(sql`DELETE FROM ${trash} WHERE id = 10`)
    assert.deepEqual(await findings(), [`${about(10)}: its newest change says that it is in the table, and it is erased.`])
    await damage(sql`DELETE FROM changes WHERE record_id = 10`)
    await damage(move(trash, live, 6))
    await damage(sql`DELETE FROM ${trash} WHERE id = 6`)
    assert.deepEqual(await findings(), [`${about(6)}: its newest change says that it is in the trash, and it is in the table.`])
    await damage(move(live, trash, 6))
    await damage(sql`DELETE FROM ${live} WHERE id = 6`)
    await damage(sql`INSERT INTO ${live} (id) VALUES (4)`)
    assert.deepEqual(await findings(), [`${about(4)}: its newest change says that it is erased, and it is in the table.`])
    await damage(sql`DELETE FROM ${live} WHERE id = 4`)
    assert.deepEqual(await findings(), [])
  })

  it('raises no false alarm while others write', async () => {
    const { title } = f as Record<string, string>
    let busy = true
    const writer = async (mine: number) => {
      for (let i = 0; busy; i++) {
        await must(service.change(deals.type, String(mine), { [title!]: `${i} ${'x'.repeat(i % 50)}` }))
        const id = await service.make(deals.type, { [title!]: `short-lived ${i}` })
        await must(service.remove(`${deals.type}/${id}`))
        if (i % 2 === 0) await must(service.remove(`trash/${await entry(Number(id))}`))
      }
    }
    const writers = [11, 12].map(writer)
    const all: string[] = []
    for (let i = 0; i < 3; i++) all.push(...(await findings()))
    busy = false
    await Promise.all(writers)
    assert.deepEqual(all, [])
  })

  it('reads a record of many and long changes a few at a time', async () => {
    const { notes } = f as Record<string, string>
    for (let i = 0; i < 6; i++) await must(service.change(deals.type, '15', { [notes!]: `${i}`.repeat(400_000) }))
    for (let i = 0; i < 250; i++) await must(service.change(deals.type, '16', { [notes!]: String(i) }))
    let [most, bytes] = [0, 0]
    const { read } = service.store.db
    const counting: typeof read = async (...queries) => {
      const answers = await read(...queries)
      for (const rows of answers) {
        most = Math.max(most, rows.length)
        bytes = Math.max(
          bytes,
          rows.reduce((sum, row) => sum + row.reduce<number>((all, one) => all + (typeof one === 'string' ? one.length : 0), 0), 0),
        )
      }
      return answers
    }
    Object.assign(service.store.db, { read: counting })
    try {
      assert.deepEqual(await findings(), [])
    } finally {
      Object.assign(service.store.db, { read })
    }
    assert.ok(most <= 1_000, `${most} rows`)
    assert.ok(bytes < 10_000_000, `${bytes} characters`)
  })
})
