import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Attribute } from '../../src/fields/field-type.ts'
import { check } from '../../src/filter/check.ts'
import { parse } from '../../src/filter/parse.ts'
import { predicate } from '../../src/filter/predicate.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import type { Content } from '../../src/store/changes/content.ts'
import { wholeChanges } from '../../src/store/changes/list-changes.ts'
import { statesOf, type LoggedChange, type State } from '../../src/store/changes/states.ts'
import { allRows, committed } from '../../src/store/ground/relation.ts'
import { name, sql } from '../../src/sql/sql.ts'
import { randomOf } from '../support/random.ts'
import { makeTable, type Table } from '../support/scene.ts'
import { seed } from '../support/seed.ts'
import { startService, type Service } from '../support/service.ts'

type Texts = Readonly<Record<string, string>>

describe('the states of records around changes', () => {
  let service: Service
  before(async () => void (service = await startService()))
  after(() => service.close())

  const logged = async ({ id }: Pick<Table, 'id'>): Promise<readonly LoggedChange[]> =>
    (await allRows(committed(service.store), wholeChanges))
      .filter(({ tableId }) => tableId === id)
      .map(({ id: change, recordId, action, changes }) => ({ id: change, recordId, action, content: changes as unknown as Content }))
  const tableOf = ({ id }: Pick<Table, 'id'>) => service.store.catalogue().tables.get(id)!
  const textsOf = (state: State | undefined, attributes: readonly Attribute[]): Texts | undefined =>
    state && Object.fromEntries(attributes.map((one) => [one.name, one.type.format(state.value(one), one.settings)]))

  it('are those that the records had, whatever was changed since', async () => {
    const table = await makeTable(service, 'Random', {
      title: 'text',
      note: 'longtext',
      sum: 'decimal',
      big: 'integer',
      stage: { field_type: 'list', options: ['new', 'won'] },
      tags: { field_type: 'multilist', options: ['a', 'b'] },
      day: 'date',
    })
    const { title, note, sum, big, stage, tags, day } = table.f
    const random = randomOf(seed)
    const one = <T>(...values: readonly T[]): T => random.pick(values)
    const someValues = (): Record<string, string> => ({
      [title]: one('', 'Ä', 'b'),
      [note]: one('', 'x'.repeat(40_000), 'short'),
      [sum]: one('', '1.50', '-7'),
      [big]: one('', '999999999999999999', '9007199254740993'),
      [stage]: one('', 'new', 'won'),
      [tags]: one('', 'a', 'a\nb'),
      [day]: one('', '2024-02-29'),
    })
    const held = new Map<string, Texts | undefined>()
    const expected: (readonly [record: string, before: Texts | undefined, after: Texts | undefined])[] = []
    const shown = async (id: string): Promise<Texts> => (await service.send('GET', `${table.path}/${id}`)).json.data.attributes
    const note_ = async (id: string, isThere: boolean): Promise<void> => {
      const now = isThere ? await shown(id) : undefined
      expected.push([id, held.get(id), now])
      held.set(id, now)
    }
    const document = (attributes: Record<string, string>, id?: string) => ({
      body: { data: { type: table.type, ...(id && { id }), attributes } },
    })
    for (let i = 0; i < 60; i++) {
      const ids = [...held.keys()]
      const id = one('', ...ids)
      if (id === '') {
        const made = await service.send('POST', table.path, document(someValues()))
        await note_(made.json.data.id, true)
      } else if (!held.get(id)) {
        const [entry] = (await service.send('GET', `/api/dev/trash?filter=eq(item_id,${id})`)).json.data
        await service.send('POST', `/api/dev/trash/${entry.id}/restore`)
        await note_(id, true)
      } else if (random.percent(20)) {
        await service.send('DELETE', `${table.path}/${id}`)
        await note_(id, false)
      } else {
        const some = Object.fromEntries(Object.entries(someValues()).filter(() => random.percent(40)))
        const before = await shown(id)
        await service.send('PATCH', `${table.path}/${id}`, document(some, id))
        if (JSON.stringify(before) !== JSON.stringify(await shown(id))) await note_(id, true)
      }
    }
    const changes = await logged(table)
    assert.equal(changes.length, expected.length)
    const known = tableOf(table)
    const attributes = [...known.attributes.values()].filter((attribute) => attribute.name !== 'id')
    const some = changes.filter(() => random.percent(50))
    for (const asked of [changes, some, ...changes.slice(0, 10).map((change) => [change])]) {
      const states = await statesOf(service.store, operator, known, asked, attributes)
      for (const { id } of asked) {
        const [record, before, after] = expected[changes.findIndex((change) => change.id === id)]!
        const { before: was, after: is } = states.get(id)!
        assert.deepEqual(textsOf(was, attributes), before, `before change ${id} of record ${record}`)
        assert.deepEqual(textsOf(is, attributes), after, `after change ${id} of record ${record}`)
      }
    }
    const condition = check(parse(`and(contains(${note},'XXXX'),has(${tags},'a'))`), {
      attributes: known.attributes,
      context: service.store.context,
    })
    const states = await statesOf(service.store, operator, known, changes, attributes)
    for (const [i, { id }] of changes.entries()) {
      const after = expected[i]![2]
      const matches = after !== undefined && after[note]!.length > 10 && after[tags] !== ''
      const state = states.get(id)!.after
      assert.equal(state !== undefined && predicate(condition)(state), matches)
    }
  })

  it('of a record with many changes are read page by page without looking at all later changes each time', async () => {
    const visits: number[] = []
    for (const count of [400, 1_600]) {
      const table = await makeTable(service, `Hot ${count}`, { each: 'text', rare: 'integer', never: 'text', note: 'longtext' })
      const { each, rare, never, note } = table.f
      const record = Number(await service.make(table.type, { [never]: 'n', [rare]: '0', [each]: '0', [note]: 'x' }))
      const [last] = await service.store.db.read(sql`SELECT max(id) FROM changes`)
      const first = Number(last![0]![0])
      const columns = ['id', 'table_id', 'record_id', 'action', 'user_id', 'token_id', 'via', 'batch_id', 'made_at', 'touched', 'content']
      const rareAt = (i: number) => i % (count / 4) === 7
      const rareAfter = (i: number) =>
        Array.from({ length: i }, (_, n) => n + 1)
          .filter(rareAt)
          .at(-1) ?? 0
      const rows = Array.from({ length: count }, (_, n) => {
        const i = n + 1
        const content = { [each]: [String(i - 1), String(i)], ...(rareAt(i) && { [rare]: [rareAfter(i - 1), i] }) }
        const touched = `|${each}|${rareAt(i) ? `|${rare}|` : ''}`
        return [first + i, table.id, record, 2, 1, 0, 1, first + i, '2026-01-01 00:00:00', touched, JSON.stringify(content)]
      })
      await service.store.db.write(async (tx) => {
        await tx.insert('changes', columns, rows)
        const [to, then] = [String(count), rareAfter(count)]
        await tx.run(sql`UPDATE ${name(`data${table.id}`)} SET ${name(each)} = ${to}, ${name(`${each}k`)} = ${to}, ${name(rare)} = ${then}`)
      })
      const changes = await logged(table)
      const known = tableOf(table)
      const attributes = [...known.attributes.values()].filter((one) => [each, rare, never, note].includes(one.name))
      let visited = 0
      const db = {
        ...service.store.db,
        readLittle: async (...[by, ...queries]: Parameters<typeof service.store.db.readLittle>) => {
          const answers = await service.store.db.readLittle(by, ...queries)
          // A statement over later changes says how many it looked at.
          for (const [i, { chunks }] of queries.entries())
            if (chunks.some((chunk) => 'text' in chunk && chunk.text.includes('max(log.id)')))
              for (const [, looked] of answers[i]!) visited += Number(looked)
          return answers
        },
      }
      for (let at = 0; at < changes.length; at += 20) {
        const page = changes.slice(at, at + 20)
        const states = await statesOf({ db }, operator, known, page, attributes)
        for (const [n, { id }] of page.entries()) {
          const i = at + n
          const { before: was, after: is } = states.get(id)!
          const text = (now: number) => ({ [each]: String(now), [rare]: String(rareAfter(now)), [never]: 'n', [note]: 'x' })
          assert.deepEqual(textsOf(was, attributes), i === 0 ? undefined : text(i - 1), `before ${i}`)
          assert.deepEqual(textsOf(is, attributes), text(i), `after ${i}`)
        }
      }
      visits.push(visited)
    }
    assert.ok(visits[1]! < 7 * visits[0]!, `${visits}`)
  })

  it('of a converted field are compared as its first value of the new type, and held under the old one', async () => {
    const table = await makeTable(service, 'Converted', { size: 'text', other: 'text' })
    const { size, other } = table.f
    const document = (attributes: Record<string, string>, id?: string) => ({
      body: { data: { type: table.type, ...(id && { id }), attributes } },
    })
    const id = (await service.send('POST', table.path, document({ [size]: '41' }))).json.data.id
    await service.send('PATCH', `${table.path}/${id}`, document({ [size]: '42', [other]: 'x' }, id))
    const old = tableOf(table).attributes.get(size)!
    assert.equal((await service.change('field', size.slice(1), { field_type: 'integer' })).status, 200)
    await service.send('PATCH', `${table.path}/${id}`, document({ [size]: '43' }, id))
    const now = tableOf(table).attributes.get(size)!
    const changes = await logged(table)
    assert.deepEqual(
      changes.map(({ action }) => action),
      ['create', 'update', 'convert', 'update'],
    )
    for (const asked of [changes, ...changes.map((change) => [change])]) {
      const states = await statesOf(service.store, operator, tableOf(table), asked, [old, now])
      const all = {
        create: [null, '41', null, null, undefined, '42'],
        update: ['41', '42', null, null, '42', '42'],
        convert: ['42', null, null, '42', '42', '42'],
      }
      for (const { id: change, action, content } of asked) {
        const { before: was, after: is } = states.get(change)!
        const expected =
          action === 'update' && old.column in content === false ? [null, null, '42', '43', '42', '43'] : all[action as keyof typeof all]
        const held = [was, is]
          .map((state) => state?.side(old.column) ?? null)
          .concat([was, is].map((state) => state?.side(now.column) ?? null))
        const compared = [was, is].map((state) => state && String(state.value(now)))
        assert.deepEqual([...held.map((side) => (side === null ? null : String(side))), ...compared], expected, `${action} ${change}`)
      }
    }
  })
})
