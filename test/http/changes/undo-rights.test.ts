import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { actOf } from '../../support/act.ts'
import { makeTable, person, refused } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

/*
 * Two worlds that look the same to a seller. In one, what is hidden from them was changed since their batch: a hidden field, records that have
 * left their read filter, records of others. In the other, as many changes were made elsewhere. Every answer must be the same, byte by byte.
 */

type World = { readonly service: Service; readonly answers: string[] }

async function world(isBusy: boolean): Promise<World> {
  const service = await startService()
  const deals = await makeTable(service, 'Deals', { title: 'text', sum: 'integer', secret: 'text' })
  const elsewhere = await makeTable(service, 'Elsewhere', { note: 'text' })
  const { title, sum, secret } = deals.f
  const group = Number(await service.make('group', { group_name: 'Sellers' }))
  const rule = { group_id: group, table_id: deals.id, create: true, read: true, update: true, delete: true }
  const access = await service.make('access', rule)
  const { token } = await person(service, group, 'seller')
  const create = (name: string) => ({ does: 'create', table: deals.id, values: { [title]: name, [secret]: `${name} s` } }) as const
  const records = await actOf(service, token, ['Seen 1', 'Seen 2', 'Seen 3', 'Leaves', 'Deleted'].map(create))
  const [one, two, three, leaves, deleted] = records as [number, number, number, number, number]
  // The batch, made when they could see everything.
  await actOf(
    service,
    token,
    [create('Seen new'), create('New leaves')],
    [
      { does: 'update', table: deals.id, record: one, values: { [sum]: '1', [secret]: 'mine' } },
      { does: 'update', table: deals.id, record: two, values: { [secret]: 'mine' } },
      { does: 'update', table: deals.id, record: three, values: { [sum]: '3' } },
      { does: 'update', table: deals.id, record: leaves, values: { [sum]: '4' } },
      { does: 'delete', table: deals.id, record: deleted },
    ],
  )
  const batch = (await service.send('GET', `/api/dev/change?filter=eq(record_id,${deleted})&sort=-id`)).json.data[0].attributes.batch_id
  // The records that the batch created: this one and the next.
  const made = deleted + 1
  const change = async (record: number, attributes: object) => {
    const { status, text } = await service.change(deals.type, String(record), attributes)
    assert.equal(status, 200, text)
  }
  await change(three, { [sum]: '33' })
  // They leave the filter of the seller in both worlds.
  await change(leaves, { [title]: 'Gone' })
  await change(made + 1, { [title]: 'Gone too' })
  await service.change('access', access, { read_filter: `not(starts_with(${title},'Gone'))`, fields: { [secret.slice(1)]: 'hidden' } })
  const other = await service.make(elsewhere.type, { [elsewhere.f.note]: '' })
  const noise = async (i: number) => void (await service.change(elsewhere.type, other, { [elsewhere.f.note]: `n${i}` }))
  const hidden: (() => Promise<void>)[] = [
    () => change(one, { [secret]: 'changed' }),
    () => change(two, { [secret]: 'changed' }),
    () => change(made, { [secret]: 'changed' }),
    () => change(leaves, { [sum]: '44' }),
    () => change(made + 1, { [sum]: '5' }),
  ]
  for (const [i, act] of hidden.entries()) await (isBusy ? act() : noise(i))

  const answers: string[] = []
  // Over PostgreSQL, positions depend on all transactions of the cluster: each is replaced by its number in the order of the answers.
  const positions: string[] = []
  const numbered = (text: string) =>
    text.replace(/\d{5,}/g, (position) => {
      if (!positions.includes(position)) positions.push(position)
      return `#${positions.indexOf(position)}`
    })
  const ask = async (method: string, path: string) => {
    const { status, text, json } = await service.send(method, path, { token })
    answers.push(numbered(`${method} ${path} ${status} ${text.replaceAll(service.url, '')}`))
    return json
  }
  await ask('GET', `/api/dev/batch/${batch}`)
  await ask('GET', '/api/dev/batch')
  await ask('POST', `/api/dev/batch/${batch}/undo?dryRun=true`)
  const { meta } = await ask('POST', `/api/dev/batch/${batch}/undo`)
  await ask('GET', `/api/dev/batch/${meta.batch_id}`)
  await ask('GET', deals.path)
  await ask('POST', `/api/dev/batch/${meta.batch_id}/undo`)
  for (const id of [one, two, three]) {
    const { data } = await ask('GET', `${deals.path}/${id}/history`)
    answers.push(
      JSON.stringify(
        (await service.send('POST', `${deals.path}/${id}/restore?dryRun=true`, { token, body: { meta: { change: data[0].id } } })).json
          .meta,
      ),
    )
  }
  const state = await service.send('GET', `${deals.path}/${one}`)
  // What is hidden from them, they did not change.
  assert.equal(state.json.data.attributes[secret], isBusy ? 'changed' : 'mine')
  assert.equal((await service.send('GET', `${deals.path}/${leaves}`)).json.data.attributes[sum], isBusy ? '44' : '4')
  return { service, answers }
}

describe('undo and restore tell nothing of what is hidden', () => {
  it('answers the same whether or not hidden records and fields were changed since', async () => {
    const [quiet, busy] = [await world(false), await world(true)]
    try {
      assert.deepEqual(busy.answers, quiet.answers)
      // They are told of what they can see.
      const undone = quiet.answers.find((one) => /undo 200/.test(one))!
      assert.match(undone, /"conflicts":1,"listed":\[\{"table_id":\d+,"record_id":3,/)
    } finally {
      await quiet.service.close()
      await busy.service.close()
    }
  })
})

describe('an undo by somebody who may not see or write all of the batch', () => {
  it('does not end the undo: what is left is undone by whoever may, as the same batch', async () => {
    const service = await startService()
    try {
      const deals = await makeTable(service, 'Deals', { title: 'text', secret: 'text', fixed: 'text' })
      const other = await makeTable(service, 'Other', { note: 'text' })
      const group = Number(await service.make('group', { group_name: 'Sellers' }))
      const rights = { group_id: group, create: true, read: true, update: true, delete: true }
      const ofDeals = await service.make('access', { ...rights, table_id: deals.id })
      const ofOther = await service.make('access', { ...rights, table_id: other.id })
      const { token } = await person(service, group, 'seller')
      const { title, secret, fixed } = deals.f
      const deal = Number(await service.make(deals.type, { [title]: 'a', [secret]: 'a', [fixed]: 'a' }))
      const note = Number(await service.make(other.type, { [other.f.note]: 'a' }))
      await actOf(service, token, [
        { does: 'update', table: deals.id, record: deal, values: { [title]: 'b', [secret]: 'b', [fixed]: 'b' } },
        { does: 'update', table: other.id, record: note, values: { [other.f.note]: 'b' } },
      ])
      const batch = (await service.send('GET', `${deals.path}/${deal}/history?sort=-id`)).json.data[0].attributes.batch_id as number
      await service.change('access', ofDeals, { fields: { [secret.slice(1)]: 'hidden', [fixed.slice(1)]: 'read_only' } })
      await service.remove(`access/${ofOther}`)
      const undo = async (by?: string) => service.send('POST', `/api/dev/batch/${batch}/undo`, by === undefined ? {} : { token: by })
      const held = async () => {
        const [one, two] = [await service.send('GET', `${deals.path}/${deal}`), await service.send('GET', `${other.path}/${note}`)]
        return [title, secret, fixed].map((key) => one.json.data.attributes[key]).concat(two.json.data.attributes[other.f.note])
      }

      const first = (await undo(token)).json.meta
      assert.deepEqual([first.done, first.records, first.conflicts], [true, 1, 1])
      assert.deepEqual(await held(), ['a', 'b', 'b', 'b'])
      const again = await undo()
      assert.equal(again.status, 200, again.text)
      const { batch_id, records, conflicts } = again.json.meta
      assert.deepEqual([batch_id, records, conflicts], [first.batch_id, 2, 0])
      assert.deepEqual(await held(), ['a', 'a', 'a', 'a'])
      refused(await undo(), '409 batch.undone')
      // Both undos are one batch, which is taken back as one.
      assert.equal((await service.send('POST', `/api/dev/batch/${batch_id}/undo`)).json.meta.records, 2)
      assert.deepEqual(await held(), ['b', 'b', 'b', 'b'])
    } finally {
      await service.close()
    }
  })
})
