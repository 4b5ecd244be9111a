import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { actOf, type Step } from '../../support/act.ts'
import { UndoOracle } from '../../support/oracle/undo.ts'
import { randomOf } from '../../support/random.ts'
import { makeTable, type Table } from '../../support/scene.ts'
import { seed } from '../../support/seed.ts'
import { startService, type Service } from '../../support/service.ts'

const ACTS = 70
const MOST_RECORDS = 40

describe(`undo, compared with plain code, seed ${seed}`, () => {
  let service: Service
  let deals: Table & { f: { a: string; b: string; u: string } }
  let token: string
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { a: 'text', b: 'text', u: { field_type: 'text', unique: true } })
    token = await service.tokenOf(1)
  })
  after(() => service.close())

  const random = randomOf(seed)
  /** The batches of the oracle are numbered by itself; these are their ids. */
  const ids = new Map<number, number>()
  let oracle: UndoOracle
  let acts = 0

  it('has the same records, conflicts and counts after random acts, undos, and undos of these', async () => {
    oracle = new UndoOracle(deals.f.u)
    let [undos, undosOfUndos, conflicts] = [0, 0, 0]
    for (let i = 0; i < ACTS; i++) {
      const open = [...oracle.batches.keys()].filter((batch) => oracle.canBeUndone(batch))
      if (open.length === 0 || !random.percent(40)) await act()
      else {
        // Recent ones mostly: those of long ago are conflicts throughout.
        const batch = random.percent(70) ? open.at(-1 - random.int(Math.min(3, open.length)))! : random.pick(open)
        undos++
        if (oracle.batches.get(batch)!.undoes !== 0) undosOfUndos++
        conflicts += await undo(batch)
      }
    }
    await batchesMustBeSame()
    assert.ok(undos > 10 && undosOfUndos > 0 && conflicts > 0, JSON.stringify({ undos, undosOfUndos, conflicts }))
  })

  /** One change, as people make them, or an act of several. */
  async function act(): Promise<void> {
    const { a, b, u } = deals.f
    const batch = ++acts
    const steps: Step[] = []
    const created: Record<string, string>[] = []
    const value = () => `v${random.int(4)}`
    for (let n = random.percent(40) ? 1 : 2 + random.int(7); n > 0; n--) {
      const live = oracle.in('live')
      if (live.length < 3 || (random.percent(30) && oracle.records.size + created.length < MOST_RECORDS)) {
        created.push({ [a]: value(), [b]: '', [u]: '' })
        continue
      }
      const record = random.pick(live)
      if (random.percent(20)) {
        oracle.move(batch, record, 'delete')
        steps.push({ does: 'delete', table: deals.id, record })
        continue
      }
      const key = random.pick([a, a, b, u])
      const values = { [key]: key === u && random.percent(30) ? '' : value() }
      if (!oracle.fits(record, values)) continue
      oracle.update(batch, record, values)
      steps.push({ does: 'update', table: deals.id, record, values })
    }
    const all = [...steps, ...created.map((values): Step => ({ does: 'create', table: deals.id, values }))]
    if (all.length === 0) return
    // In one transaction, or in several.
    const records = random.percent(50) ? await actOf(service, token, all) : await actOf(service, token, ...all.map((step) => [step]))
    for (const [i, values] of created.entries()) oracle.create(batch, records[steps.length + i]!, values)
    if (!oracle.batches.has(batch)) return
    const [change] = (await service.send('GET', '/api/dev/change?sort=-id&page[limit]=1')).json.data
    ids.set(batch, change.attributes.batch_id)
    await mustBeSame()
  }

  /** Undoes a batch, first as a dry run; how many conflicts there were. */
  async function undo(batch: number): Promise<number> {
    const send = async (query: string) => {
      const { status, text, json } = await service.send('POST', `/api/dev/batch/${ids.get(batch)}/undo${query}`)
      assert.equal(status, 200, text)
      const { records, conflicts, listed, batch_id } = json.meta
      const told = listed
        .map((one: Record<string, unknown>) => JSON.stringify([one['record_id'], one['attribute'], one['code']]))
        .toSorted()
      return { id: batch_id as number | null, said: { records, conflicts, told } }
    }
    const dry = await send('?dryRun=true')
    await mustBeSame()
    const done = await send('')
    const by = ++acts
    const { records, conflicts } = oracle.undo(batch, by)
    const expected = { records, conflicts: conflicts.length, told: conflicts.map((one) => JSON.stringify(one)).toSorted() }
    assert.deepEqual(done.said, expected)
    assert.deepEqual(dry.said, expected)
    assert.equal(done.id === null, records === 0)
    if (done.id !== null) ids.set(by, done.id)
    await mustBeSame()
    return conflicts.length
  }

  async function mustBeSame(): Promise<void> {
    const { data } = (await service.send('GET', `${deals.path}?page[limit]=50`)).json
    const names = Object.values(deals.f)
    assert.deepEqual(
      data.map((one: { id: string; attributes: Record<string, string> }) => [Number(one.id), names.map((key) => one.attributes[key])]),
      oracle
        .in('live')
        .toSorted((one, other) => one - other)
        .map((id) => [id, names.map((key) => oracle.records.get(id)!.values[key])]),
    )
    const trash = (await service.send('GET', '/api/dev/trash?page[limit]=50&sort=item_id')).json.data
    assert.deepEqual(
      trash.map((one: { attributes: { item_id: number } }) => one.attributes.item_id),
      oracle.in('trash').toSorted((one, other) => one - other),
    )
  }

  async function batchesMustBeSame(): Promise<void> {
    for (const [batch, { undoneBy }] of oracle.batches) {
      const { data: shown } = (await service.send('GET', `/api/dev/batch/${ids.get(batch)}`)).json
      assert.equal(shown.attributes.undone_by, undoneBy === 0 ? null : ids.get(undoneBy), String(batch))
    }
  }
})
