import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { resources } from '../../../src/http/resource-routes.ts'
import { sql } from '../../../src/sql/sql.ts'
import { noteNamesOfAll } from '../../../src/store/catalogue/hidden-names.ts'
import { errorsOf, startService, type Service } from '../../support/service.ts'

/*
 * Values that stand outside of their records (titles in the trash, answers kept for an Idempotency-Key, messages, the title field
 * of a table) are shown by the rights of today, and neither filters nor sorting tell more of them than answers show.
 */

describe('a value of a hidden field is not shown by what copied it', () => {
  let service: Service
  let table: Awaited<ReturnType<Service['table']>>
  let guest: string
  let rule: string
  const type = () => `data${table.id}`
  const f = (name: string) => table.fields[name]!
  const fieldId = (name: string) => Number(f(name).slice(1))
  const hide = async (...names: string[]) =>
    assert.equal(
      (await service.change('access', rule, { fields: Object.fromEntries(names.map((name) => [fieldId(name), 'hidden'])) })).status,
      200,
    )
  const titleIs = (name: string) => service.change('table', String(table.id), { title_field_id: fieldId(name) })

  before(async () => {
    service = await startService()
    const group = await service.make('group', { group_name: 'Guests' })
    await service.make('user', { login: 'guest', password: 'guest-password', group_id: Number(group) })
    guest = await service.signIn('guest', 'guest-password')
    table = await service.table('Deals', {
      pay: 'text',
      name: 'text',
      old: 'text',
      code: { typeName: 'text', unique: true },
      papers: 'file',
    })
    const rights = { create: true, read: true, update: true, delete: true }
    rule = await service.make('access', { group_id: Number(group), table_id: table.id, ...rights })
  })
  beforeEach(() => hide())
  after(() => service.close())

  /** Deletes a record as the guest; its entry in the trash. */
  async function trashed(attributes: object): Promise<string> {
    const id = await service.make(type(), attributes)
    assert.equal((await service.remove(`${type()}/${id}`, guest)).status, 200)
    return (await service.get(`trash?filter=and(eq(kind,'record'),eq(item_id,${id}))`)).json.data[0].id
  }

  async function titleShown(entry: string, title: string, token?: string): Promise<string> {
    const found = await service.get(`trash?filter=and(eq(id,${entry}),eq(title,'${title}'))`, token)
    const there = await service.get(`trash?filter=contains(title,'${title.slice(1)}')&sort=-title`, token)
    const listed = (await service.get(`trash?filter=eq(id,${entry})`, token)).json.data[0].attributes.title
    assert.equal((await service.get(`trash/${entry}`, token)).json.data.attributes.title, listed)
    assert.deepEqual([found.json.meta.total, there.json.meta.total], listed === '' ? [0, 0] : [1, 1])
    return listed
  }

  it('the trash: the title is judged by the field that it was taken from', async () => {
    await titleIs('pay')
    const entry = await trashed({ [f('pay')]: 'one million' })
    assert.equal(await titleShown(entry, 'one million', guest), 'one million')
    await hide('pay')
    assert.equal(await titleShown(entry, 'one million', guest), '', 'hidden since')
    await titleIs('name')
    assert.equal(await titleShown(entry, 'one million', guest), '', 'another title field since')
    assert.equal(await titleShown(entry, 'one million'), 'one million', 'administrators see it')
    await hide('name')
    const other = await trashed({ [f('name')]: 'somebody', [f('pay')]: 'x' })
    assert.equal(await titleShown(other, 'somebody', guest), '')
    assert.equal((await service.call('POST', `trash/${other}/restore`, undefined, guest)).status, 200, 'what has no title is restored too')
  })

  it('the trash: the title of a field that is deleted, and of one not written down, is for administrators', async () => {
    await titleIs('old')
    const entry = await trashed({ [f('old')]: 'from before' })
    assert.equal(await titleShown(entry, 'from before', guest), 'from before')
    const before = await trashed({ [f('old')]: 'earlier version' })
    await service.store.db.write((tx) => tx.run(sql`UPDATE trash SET title_field_id = 0 WHERE id = ${Number(before)}`))
    assert.equal(await titleShown(before, 'earlier version', guest), '')
    assert.equal(await titleShown(before, 'earlier version'), 'earlier version')
    assert.equal((await service.remove(`field/${fieldId('old')}`)).status, 200)
    assert.equal(await titleShown(entry, 'from before', guest), '')
    assert.equal(await titleShown(entry, 'from before'), 'from before')
  })

  it('restoring: what a hidden unique field stands against is not named', async () => {
    const entry = await trashed({ [f('code')]: 'taken' })
    const holder = await service.make(type(), { [f('code')]: 'taken' })
    const restore = () => service.call('POST', `trash/${entry}/restore`, undefined, guest)
    assert.equal((await restore()).json.errors[0].meta.record_id, holder)
    await hide('code')
    const answer = await restore()
    assert.deepEqual(errorsOf(answer), ['409 trash.conflict'])
    assert.doesNotMatch(answer.text, new RegExp(`"${f('code')}|record_id|taken`))
    assert.equal((await service.get(`trash/${entry}`, guest)).status, 200)
  })

  it('an Idempotency-Key: the kept answer leaves out what is hidden since', async () => {
    const send = (token?: string) =>
      service.send('POST', `/api/dev/${type()}`, {
        body: { data: { type: type(), attributes: { [f('pay')]: 'one million', [f('name')]: 'x' } } },
        headers: { 'Idempotency-Key': 'once' },
        token: token ?? service.token,
      })
    const [first, ofAdministrator] = [await send(guest), await send()]
    assert.deepEqual([(await send(guest)).text, (await send()).text], [first.text, ofAdministrator.text])
    await hide('pay')
    const again = await send(guest)
    assert.deepEqual([again.status, again.headers.get('location')], [201, first.headers.get('location')])
    const now = await service.get(`${type()}/${first.json.data.id}`, guest)
    assert.equal(again.text, now.text)
    assert.equal(again.headers.get('etag'), now.headers.get('etag'))
    assert.equal((await send()).text, ofAdministrator.text)
  })

  it('files: neither names nor bytes of a hidden field', async () => {
    const id = await service.make(type(), { [f('papers')]: [{ file_name: 'pay.txt', content: 'one million' }] })
    const place = `file/${table.id}/${f('papers')}/${id}`
    assert.equal((await service.get(place, guest)).json.data.length, 1)
    await hide('papers')
    for (const path of [place, `${place}/?filename=pay.txt`, `${place}/pay.txt`]) {
      const answer = await service.get(path, guest)
      assert.deepEqual([answer.status, answer.text.includes('million')], [404, false], path)
    }
  })

  it('tables: a hidden title field is none for filters and sorting', async () => {
    await titleIs('pay')
    await hide('pay')
    const total = async (id: number, token?: string) =>
      (await service.get(`table?filter=and(eq(id,${table.id}),eq(title_field_id,${id}))&sort=-title_field_id`, token)).json.meta.total
    assert.deepEqual([await total(fieldId('pay'), guest), await total(0, guest)], [0, 1])
    assert.deepEqual([await total(fieldId('pay')), await total(0)], [1, 0])
    assert.equal((await service.get(`table/${table.id}`, guest)).json.data.attributes.title_field_id, 0)
    // Where none is chosen, the first text field is the title field, for filters as well.
    assert.equal((await service.change('table', String(table.id), { title_field_id: 0 })).status, 200)
    assert.equal(await total(fieldId('pay')), 1)
    assert.equal(await total(0, guest), 1)
  })

  it('saved filters: one that cannot be read any more is none for those from whom something is hidden', async () => {
    await hide('pay')
    const wish = { table_id: table.id, filter_name: 'x', expression: `eq(${f('name')},'x')` }
    const id = await service.make('filter', wish)
    assert.equal((await service.get(`filter/${id}`, guest)).status, 200)
    await service.store.db.write(async (tx) => {
      await tx.run(sql`UPDATE saved_filters SET expression = ${`eq(${f('pay')},'million'`} WHERE id = ${Number(id)}`)
      await tx.run(sql`DELETE FROM saved_filter_fields WHERE filter_id = ${Number(id)}`)
    })
    await noteNamesOfAll(service.store.db)
    assert.equal((await service.get(`filter/${id}`, guest)).status, 404)
    assert.equal((await service.get(`filter/${id}`)).status, 200)
    await service.remove(`filter/${id}`)
  })

  it('an ETag tells that a hidden field has changed, and not what it holds', async () => {
    await hide('pay')
    const id = await service.make(type(), { [f('pay')]: 'one' })
    const tag = async () => (await service.get(`${type()}/${id}`, guest)).headers.get('etag')!
    const before = await tag()
    await service.change(type(), id, { [f('pay')]: 'two' })
    assert.equal((await tag()).replace(/^"2-/, '"1-'), before)
  })

  it('every attribute of every resource can be filtered by just what it shows', async () => {
    await titleIs('pay')
    await hide('pay')
    await trashed({ [f('pay')]: 'one million' })
    for (const token of [guest, service.token])
      for (const { type: of, attributes } of resources) {
        const { json } = await service.get(of, token)
        for (const { id, attributes: shown } of json.data)
          for (const name of attributes.keys()) {
            const value = (shown as Readonly<Record<string, unknown>>)[name]
            if (name === 'id' || value === null || !['string', 'number'].includes(typeof value)) continue
            const text = typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
            const found = await service.get(`${of}?filter=and(eq(id,${id}),eq(${name},${text}))`, token)
            assert.equal(found.json.meta?.total, 1, `${of} ${id} ${name} ${text} ${found.text}`)
          }
      }
  })
})
