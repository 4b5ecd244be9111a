import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { performOn } from '../../src/cli/perform.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { actBy } from '../support/act.ts'
import { makeTable, type Table } from '../support/scene.ts'
import { startService, type Service } from '../support/service.ts'
import { settled } from '../support/settled.ts'

/** More than commands read at once. */
const MANY = 130

describe('commands that may print much print each page before they read the next', () => {
  let service: Service
  let deals: Table
  let record: number
  let hook: string
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', { title: 'text' })
    const [made] = await actBy(service.store, { ...operator }, [
      { does: 'create', table: deals.id, values: { [deals.f.title!]: 'Change 1' } },
    ])
    record = made!
    for (let i = 2; i <= MANY; i++) await change(`Change ${i}`)
    hook = await service.make('webhook', { url: 'https://hooks.example.com/' })
    for (let i = 1; i <= MANY; i++) assert.equal((await service.call('POST', `webhook/${hook}/test`)).status, 201)
  })
  after(() => service.close())

  const change = (title: string) =>
    actBy(service.store, { ...operator }, [{ does: 'update', table: deals.id, record, values: { [deals.f.title!]: title } }])

  /** The lines that a command prints; `atFirst` is done when it prints the first one. */
  async function printed(
    name: string,
    args: Readonly<Record<string, string>>,
    options: Readonly<Record<string, string | true>>,
    atFirst: () => unknown,
    ended?: AbortSignal,
  ): Promise<string[]> {
    const lines: string[] = []
    const line = async (text: string) => {
      if (lines.push(text) === 1) await atFirst()
    }
    const output = { line, note: async () => {}, progress: async () => {}, append: async () => {}, appendBytes: async () => {} }
    const call = { name, args, options, inputSize: 0 }
    assert.equal(await performOn(service.store, service.directory)(call, undefined, output, ended), 0)
    return lines
  }
  const ofRecord = () => ({ table: 'Deals', record: String(record) })

  it('history, as a table whose columns stay where they are, and as JSON', async () => {
    const lines = await printed('history', ofRecord(), {}, () => change('Late'))
    const ofTitle = lines.filter((text) => text.includes(` ${deals.f.title!} `))
    assert.equal(ofTitle.length, MANY + 1)
    assert.match(lines.at(-1)!, / Late$/)
    assert.equal(new Set(ofTitle.map((text) => text.indexOf(` ${deals.f.title!} `))).size, 1)
    const json = await printed('history', ofRecord(), { json: true }, () => change('Later'))
    const rows = JSON.parse(json.join('\n')) as { attribute: string; to: string }[]
    assert.equal(rows.filter(({ attribute }) => attribute === deals.f.title!).length, MANY + 2)
    assert.equal(rows.at(-1)!.to, 'Later')
  })

  it('changes', async () => {
    const lines = await printed('changes', {}, { table: 'Deals' }, async () => {
      await change('Latest')
      await settled(service.store)
    })
    assert.match(lines.at(-1)!, /'Latest'$/)
  })

  it('webhook deliveries', async () => {
    const all = await printed('webhook deliveries', { id: hook }, { limit: '1000', json: true }, () => {})
    assert.equal((JSON.parse(all.join('\n')) as unknown[]).length, MANY)
    const last = await printed('webhook deliveries', { id: hook }, { limit: '2' }, () => {})
    assert.deepEqual([last.length, last.at(-1)!.split(' ')[0]], [3, String((JSON.parse(all.join('\n')) as { id: number }[]).at(-1)!.id)])
    // Its deliveries that wait go with the webhook.
    const some = await printed('webhook deliveries', { id: hook }, { limit: '1000' }, () => service.remove(`webhook/${hook}`))
    assert.ok(some.length > 1 && some.length < MANY, String(some.length))
  })

  it('and end with an error where the server stops before all is printed', async () => {
    for (const [name, args, options] of [
      ['history', ofRecord(), {}],
      ['history', ofRecord(), { json: true }],
      ['changes', {}, {}],
    ] as const) {
      const stopping = new AbortController()
      await assert.rejects(
        printed(name, args, options, () => stopping.abort(), stopping.signal),
        /The server stops\. What was printed is not all\./,
      )
    }
  })
})
