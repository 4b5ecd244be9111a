import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { actOf, type Step } from '../../support/act.ts'
import { makeTable, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

describe('an undo after what was undone itself', () => {
  let service: Service
  let deals: Table & { f: { title: string; sum: string; stage: string } }
  let token: string
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text', sum: 'text', stage: 'text' })
    token = await service.tokenOf(1)
  })
  after(() => service.close())

  const make = async (...titles: string[]) =>
    actOf(
      service,
      token,
      titles.map((title): Step => ({ does: 'create', table: deals.id, values: { [deals.f.title]: title } })),
    )
  const newest = async (): Promise<number> => (await service.get('change?sort=-id&page[limit]=1')).json.data[0].attributes.batch_id
  /** Does these steps as one batch. */
  const act = async (...steps: Step[]): Promise<number> => {
    await actOf(service, token, steps)
    return newest()
  }
  const update = (record: number, values: Record<string, string>): Step => ({ does: 'update', table: deals.id, record, values })
  const title = (record: number, text: string) => update(record, { [deals.f.title]: text })
  /** The batch of the undo; null: it changed nothing. */
  const undo = async (batch: number | null, conflicts: readonly (readonly [number, string | null])[] = []): Promise<number> => {
    const { status, text, json } = await service.send('POST', `/api/dev/batch/${batch}/undo`)
    assert.equal(status, 200, text)
    const { listed } = json.meta as { listed: { record_id: number; attribute: string | null; code: string }[] }
    assert.deepEqual(
      listed.map(({ record_id, attribute, code }) => [record_id, attribute, code]),
      conflicts.map((one) => [...one, 'batch.changed_since']),
    )
    return json.meta.batch_id
  }
  const holds = async (record: number, text: string, key: 'title' | 'sum' | 'stage' = 'title') =>
    assert.equal((await service.get(`${deals.type}/${record}`)).json.data.attributes[deals.f[key]], text)

  it('goes back through several edits of one cell, and forth again, and back', async () => {
    const [one] = (await make('a')) as [number]
    const edits = [await act(title(one, 'b')), await act(title(one, 'c')), await act(title(one, 'd'))]
    let acts = edits
    for (let round = 0; round < 3; round++) {
      const undos: number[] = []
      for (const [i, batch] of acts.toReversed().entries()) {
        undos.push(await undo(batch))
        await holds(one, 'cba'[i]!)
      }
      acts = []
      for (const [i, batch] of undos.toReversed().entries()) {
        acts.push(await undo(batch))
        await holds(one, 'bcd'[i]!)
      }
    }
    // By the ids of the edits as well as of what did them again.
    for (const [i, batch] of edits.toReversed().entries()) {
      await undo(batch)
      await holds(one, 'cba'[i]!)
    }
  })

  it('counts a change that was undone and done again, and one that only looks undone', async () => {
    const [one, two] = (await make('a', 'a')) as [number, number]
    const [first, other] = [await act(title(one, 'b')), await act(title(two, 'b'))]
    const again = await undo(await undo(await act(title(one, 'c'))))
    await undo(first, [[one, deals.f.title]])
    await holds(one, 'c')
    await undo(again)
    await undo(first)
    await holds(one, 'a')

    await act(title(two, 'c'))
    await act(title(two, 'b'))
    await undo(other, [[two, deals.f.title]])
    await holds(two, 'b')
  })

  it('counts what an undo had left, record by record and attribute by attribute', async () => {
    const [one, two, three] = (await make('a', 'a', 'a')) as [number, number, number]
    const first = await act(title(one, 'b'), update(two, { [deals.f.title]: 'b', [deals.f.sum]: '1' }), title(three, 'b'))
    const wide = await act(title(one, 'c'), update(two, { [deals.f.title]: 'c', [deals.f.sum]: '2' }), title(three, 'c'))
    // Somebody goes on with one attribute of the second record, and with the third.
    const sum = await act(update(two, { [deals.f.sum]: '3' }))
    const third = await act(title(three, 'd'))
    await undo(wide, [
      [three, deals.f.title],
      [two, deals.f.sum],
    ])
    await undo(first, [
      [three, deals.f.title],
      [two, deals.f.sum],
    ])
    await Promise.all([holds(one, 'a'), holds(two, 'a'), holds(two, '3', 'sum'), holds(three, 'd')])
    // Undone too, they still stand behind what is left of the second batch.
    await undo(sum)
    await undo(third)
    await Promise.all([holds(two, '2', 'sum'), holds(three, 'c')])
  })

  it('takes away what it had made, and brings back what it had deleted', async () => {
    const [one] = (await make('a')) as [number]
    const made = await newest()
    const removed = await act({ does: 'delete', table: deals.id, record: one })
    await undo(removed)
    await undo(await act(title(one, 'b')))
    const gone = await undo(made)
    assert.equal((await service.get(`${deals.type}/${one}`)).status, 404)
    // Done again, and deleted and brought back meanwhile.
    await undo(gone)
    const later = await act({ does: 'delete', table: deals.id, record: one })
    await undo(later)
    await holds(one, 'a')
  })
})
