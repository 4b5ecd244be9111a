import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/sql/sql.ts'
import { limits } from '../../../src/limits.ts'
import { randomOf } from '../../support/random.ts'
import { makeTable, person } from '../../support/scene.ts'
import { seed } from '../../support/seed.ts'
import { settled } from '../../support/settled.ts'
import { startService, type Service } from '../../support/service.ts'

type Texts = Readonly<Record<string, string>>
type Sides = Readonly<Record<string, { readonly from: string | null; readonly to: string | null }>>
interface Event {
  readonly record: string
  readonly action: string
  readonly changes: Sides
}

/** All that a caller is told after a cursor, and where it ends. */
async function follow(
  service: Service,
  token: string,
  after: string,
  more = '',
): Promise<{ events: Event[]; cursor: string; pages: number }> {
  await settled(service.store)
  const events: Event[] = []
  let cursor = after
  for (let pages = 1; ; pages++) {
    const { status, text, json } = await service.get(`change?page[after]=${cursor}&page[limit]=7${more}`, token)
    assert.equal(status, 200, text)
    for (const { attributes } of json.data)
      events.push({ record: String(attributes.record_id), action: attributes.action, changes: attributes.changes })
    cursor = json.meta.cursor
    if (!json.meta.more) return { events, cursor, pages }
  }
}

describe('the log as a caller with a read filter follows it', () => {
  let service: Service
  before(async () => void (service = await startService()))
  after(() => service.close())

  it('tells of records that come into the filter, change in it and leave it, as plain code does', async () => {
    const stages = ['new', 'won', 'lost']
    const firms = await makeTable(service, 'Firms', { name: 'text' })
    const firm = [await service.make(firms.type, { [firms.f.name]: 'One' }), await service.make(firms.type, { [firms.f.name]: 'Two' })]
    const deals = await makeTable(service, 'Deals', {
      title: 'text',
      stage: { field_type: 'list', options: stages },
      firm: { field_type: 'reference', reference_table_id: firms.id },
      owner: 'user',
      sum: 'decimal',
      secret: 'text',
    })
    const { title, stage, firm: of, owner, sum, secret } = deals.f
    const group = Number(await service.make('group', { group_name: 'Sellers' }))
    const seller = await person(service, group, 'seller')
    await service.make('access', {
      group_id: group,
      table_id: deals.id,
      read: true,
      fields: { [secret.slice(1)]: 'hidden' },
      read_filter: `or(eq(${owner},current_user),and(in(${stage},'WON','new'),eq(${of},${firm[0]})),contains(${secret},'ÄB'))`,
    })
    const isSeen = (texts: Texts | undefined): texts is Texts =>
      texts !== undefined &&
      (texts[owner] === seller.id ||
        (['won', 'new'].includes(texts[stage]!) && texts[of] === firm[0]) ||
        texts[secret]!.toLowerCase().includes('äb'))
    const isFilled = (text: string | undefined) => !['', '0', '0.00'].includes(text!)
    const seenTexts = (texts: Texts) => Object.entries(texts).filter(([name]) => name !== secret)
    const expected: Event[] = []
    const told = (record: string, action: string, was: Texts | undefined, is: Texts | undefined): void => {
      const all = (texts: Texts, side: 'from' | 'to') =>
        Object.fromEntries(
          seenTexts(texts)
            .filter(([, text]) => isFilled(text))
            .map(([name, text]) => [name, side === 'from' ? { from: text, to: null } : { from: null, to: text }]),
        )
      if (isSeen(was) && isSeen(is)) {
        const changes = Object.fromEntries(
          seenTexts(is).flatMap(([name, to]) => (was[name] === to ? [] : [[name, { from: was[name]!, to }]])),
        )
        if (Object.keys(changes).length > 0) expected.push({ record, action, changes })
      } else if (isSeen(was)) expected.push({ record, action: 'delete', changes: all(was, 'from') })
      else if (isSeen(is)) expected.push({ record, action: action === 'restore' ? action : 'create', changes: all(is, 'to') })
    }
    const random = randomOf(seed)
    const values = (): Record<string, string> => ({
      [title]: random.pick(['', 'a', 'b']),
      [stage]: random.pick(['', ...stages]),
      [of]: random.pick(['', ...firm]),
      [owner]: random.pick(['', '1', seller.id]),
      [sum]: random.pick(['', '1.5', '-7']),
      [secret]: random.pick(['', '', 'xäbx', 'y']),
    })
    const held = new Map<string, Texts | undefined>()
    const start = (await follow(service, seller.token, '')).cursor
    const shown = async (id: string): Promise<Texts> => (await service.get(`${deals.type}/${id}`)).json.data.attributes
    for (let i = 0; i < 150; i++) {
      const id = random.pick(['', ...held.keys()])
      const was = held.get(id)
      if (id === '') {
        const made = await service.make(deals.type, values())
        held.set(made, await shown(made))
        told(made, 'create', undefined, held.get(made))
      } else if (!was) {
        const [entry] = (await service.get(`trash?filter=eq(item_id,${id})`)).json.data
        await service.call('POST', `trash/${entry.id}/restore`)
        held.set(id, await shown(id))
        told(id, 'restore', undefined, held.get(id))
      } else if (random.percent(15)) {
        await service.remove(`${deals.type}/${id}`)
        held.set(id, undefined)
        told(id, 'delete', was, undefined)
      } else {
        const some = Object.fromEntries(Object.entries(values()).filter(() => random.percent(40)))
        await service.change(deals.type, id, some)
        held.set(id, await shown(id))
        told(id, 'update', was, held.get(id))
      }
    }
    const { events } = await follow(service, seller.token, start)
    assert.deepEqual(events, expected)
    assert.ok(['create', 'update', 'delete'].every((action) => events.some((event) => event.action === action)))
    const left = await follow(service, seller.token, start, `&filter=and(eq(action,'Delete'),eq(table_id,${deals.id}))`)
    assert.deepEqual(
      left.events,
      expected.filter(({ action }) => action === 'delete'),
    )
    const there = new Set<string>()
    for (const { action, record } of events)
      if (action === 'delete') there.delete(record)
      else there.add(record)
    const listed = (await service.get(`${deals.type}?page[limit]=50`, seller.token)).json.data.map(({ id }: { id: string }) => id)
    assert.deepEqual([...there].toSorted(), listed.toSorted())

    // An erasure for good is told to those whose rights do not depend on what the record held.
    const removed = [...held].find(([, texts]) => texts === undefined)?.[0] ?? ''
    if (removed !== '') {
      const [entry] = (await service.get(`trash?filter=eq(item_id,${removed})`)).json.data
      const { cursor } = await follow(service, seller.token, start)
      assert.equal((await service.remove(`trash/${entry.id}`)).status, 200)
      const erased = [{ record: removed, action: 'erase', changes: {} }]
      assert.deepEqual((await follow(service, service.token, cursor)).events, erased)
      assert.deepEqual((await follow(service, seller.token, cursor)).events, [])
    }

    // By the rights of now: without the right to read, nothing of what happened before is told.
    const rule = (await service.get('access')).json.data.find(
      (one: { attributes: { table_id: number } }) => one.attributes.table_id === deals.id,
    )
    await service.change('access', rule.id, { read: false, create: true })
    assert.deepEqual((await follow(service, seller.token, start)).events, [])
  })

  it('tells of no erasure of records where a field is erased', async () => {
    const made = await makeTable(service, 'Fields', { title: 'text', other: 'text' })
    await service.make(made.type, { [made.f.title]: 'x', [made.f.other]: 'y' })
    const { cursor } = await follow(service, service.token, '')
    await service.remove(`field/${made.f.other.slice(1)}`)
    const [entry] = (await service.get(`trash?filter=eq(kind,'field')`)).json.data
    assert.equal((await service.remove(`trash/${entry.id}`)).status, 200)
    await service.make(made.type, { [made.f.title]: 'z' })
    assert.deepEqual(
      (await follow(service, service.token, cursor, `&filter=eq(table_id,${made.id})`)).events.map(({ action }) => action),
      ['create'],
    )
  })

  it('looks through a bounded number of changes for an answer, and says that there may be more', async () => {
    const { store } = service
    const deals = await makeTable(service, 'Later', { title: 'text' })
    const { cursor } = await follow(service, service.token, '')
    await store.db.write(async (tx) => {
      const columns = ['id', 'table_id', 'record_id', 'action', 'user_id', 'token_id', 'via', 'batch_id', 'made_at', 'touched', 'content']
      const rows = Array.from({ length: limits.changesScanned.most + 1 }, (_, i) => [
        Number(cursor) + 1 + i,
        999_999,
        1,
        2,
        1,
        1,
        1,
        1,
        '',
        '',
        '{}',
      ])
      await tx.run(sql`DELETE FROM changes WHERE table_id = 999999`)
      for (let i = 0; i < rows.length; i += 1_000) await tx.insert('changes', columns, rows.slice(i, i + 1_000))
    })
    const id = await service.make(deals.type, { [deals.f.title]: 'x' })
    await settled(service.store)
    const first = (await service.get(`change?page[after]=${cursor}`)).json
    assert.deepEqual([first.data, first.meta], [[], { cursor: String(Number(cursor) + limits.changesScanned.most), more: true }])
    const { events, pages } = await follow(service, service.token, cursor)
    assert.deepEqual(
      events.map(({ record, action }) => [record, action]),
      [[id, 'create']],
    )
    assert.equal(pages, 2)
  })
})
