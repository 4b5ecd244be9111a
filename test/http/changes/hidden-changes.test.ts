import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { makeTable, person, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

/* What is hidden from somebody changes nothing of what the log tells them: cases that test/differential found. */

describe('the log of changes, to somebody from whom a field is hidden', () => {
  let service: Service
  let table: Table & { readonly f: Readonly<Record<'title' | 'secret' | 'memo', string>> }
  let guest: string
  before(async () => {
    service = await startService()
    table = await makeTable(service, 'Deals', { title: 'text', secret: 'text', memo: 'longtext' })
    const group_id = Number(await service.make('group', { group_name: 'Guests' }))
    const fields = { [table.f.secret.slice(1)]: 'hidden', [table.f.memo.slice(1)]: 'hidden' }
    await service.make('access', { group_id, table_id: table.id, read: true, fields })
    guest = (await person(service, group_id, 'guest')).token
  })
  after(() => service.close())

  const update = async (id: string, attributes: object) => assert.equal((await service.change(table.type, id, attributes)).status, 200)
  const told = async (id: string, token = guest) => {
    const { status, text, json } = await service.get(`change?filter=and(eq(table_id,${table.id}),eq(record_id,${id}))`, token)
    assert.equal(status, 200, text)
    return (json.data as { attributes: { action: string; changes: object | null } }[]).map(({ attributes: { action, changes } }) => [
      action,
      changes && Object.keys(changes).filter((name) => name.startsWith('f')),
    ])
  }

  it('shows a change that is long only by what is hidden', async () => {
    const { title, memo } = table.f
    const id = await service.make(table.type, { [title]: 'One', [memo]: 'x'.repeat(limits.changeInList.most + 1) })
    assert.deepEqual(await told(id), [['create', [title]]])
    assert.deepEqual(await told(id, service.token), [['create', null]])
  })

  it('does not show changes of a hidden field alone when the field has been erased', async () => {
    const { title, secret } = table.f
    const id = await service.make(table.type, { [title]: 'Two', [secret]: 'x' })
    await update(id, { [secret]: 'y' })
    await update(id, { [secret]: 'z', [title]: 'Three' })
    const shown = [
      ['create', [title]],
      ['update', [title]],
    ]
    assert.deepEqual(await told(id), shown)
    const field = secret.slice(1)
    assert.equal((await service.remove(`field/${field}`)).status, 200)
    assert.deepEqual(await told(id), shown)
    const [entry] = (await service.get(`trash?filter=and(eq(kind,'field'),eq(item_id,${field}))`)).json.data
    assert.equal((await service.remove(`trash/${entry.id}`)).status, 200)
    assert.deepEqual(await told(id), shown)
  })
})
