import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { env } from '../support/hooked.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { programOfRun, type ScratchProgram, type Server } from '../support/scratch-program.ts'
import { isGenuine } from '../support/verify-webhook.ts'
import { until } from '../support/until.ts'

describe('commands for webhooks', () => {
  let program: ScratchProgram
  let server: Server
  let receiver: Receiver
  before(async () => {
    receiver = await startReceiver((response) => void response.writeHead(204).end())
    program = await programOfRun()
    server = await program.serve({ env })
  })
  after(async () => {
    await program.remove()
    await receiver.close()
  })

  const started = async (...args: string[]) => {
    const { code, out, err } = await program.start(args, { env }).finished
    return { code, out: out.trim(), err }
  }
  const rows = async (...args: string[]) => JSON.parse((await started(...args, '--json')).out)

  it('add one, test it, show it, send a delivery again, remove it', async () => {
    const token = await program.token()
    await program.ok('table', 'create', 'Deals')
    const url = `http://127.0.0.1:${receiver.port}/`
    const added = await started('webhook', 'add', url, '--login', 'admin', '--table', 'Deals', '--action', 'create', '--action', 'delete')
    assert.equal(added.code, 0, added.err)
    assert.match(added.out, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const [hook] = await rows('webhook', 'list')
    assert.deepEqual(
      { ...hook, made: '' },
      { id: 1, url, table: 1, actions: 'create delete', filter: '', active: 'yes', fault: '', user: 1, made: '' },
    )

    const test = (await started('webhook', 'test', '1')).out
    await until('the test', () => receiver.received.length === 1)
    const [received] = receiver.received
    assert.ok(isGenuine(added.out, received!.headers, received!.body, Date.now()))
    assert.equal((await server.call(token, 'POST', 'data1', { data: { type: 'data1', attributes: {} } })).status, 201)
    await until('the record', () => receiver.received.length === 2)
    await until('it is noted', async () => (await rows('webhook', 'deliveries', '1', '--state', 'delivered')).length === 2)
    const made = await rows('webhook', 'deliveries', '1')
    assert.deepEqual(
      made.map(({ id, table, state, status, attempts }: Record<string, unknown>) => [id, table, state, status, attempts]),
      [
        [Number(test), 0, 'delivered', 204, 1],
        [Number(test) + 1, 1, 'delivered', 204, 1],
      ],
    )
    assert.equal((await started('webhook', 'replay', String(made[1].id))).code, 0)
    await until('the replay', () => receiver.received.length === 3)
    assert.equal(receiver.received[2]!.headers['webhook-id'], receiver.received[1]!.headers['webhook-id'])
    const shown = await started('webhook', 'show', '1', '--json')
    assert.equal(JSON.parse(shown.out).url, url)
    assert.ok(!(shown.out + (await started('webhook', 'show', '1')).out + (await started('webhook', 'list')).out).includes(added.out))
    assert.equal((await started('webhook', 'remove', '1')).code, 0)
    assert.deepEqual(await rows('webhook', 'list'), [])
  })

  it('refuse what there is not', async () => {
    for (const [args, code, says] of [
      [['webhook', 'add', 'https://127.0.0.2/', '--login', 'admin'], 1, /network/],
      [['webhook', 'add', 'https://example.com/', '--login', 'nobody'], 2, /There is no user 'nobody'/],
      [['webhook', 'add', 'https://example.com/'], 2, /--login/],
      [['webhook', 'add', 'https://example.com/', '--login', 'admin', '--table', 'Nowhere'], 2, /There is no table/],
      [['webhook', 'show', '77'], 2, /There is no webhook 77/],
      [['webhook', 'remove', 'x'], 2, /not an id/],
      [['webhook', 'replay', '77'], 2, /There is no delivery 77/],
    ] as const) {
      const done = await started(...args)
      assert.match(done.err, says)
      assert.equal(done.code, code, `${args.join(' ')}: ${done.err}`)
    }
  })
})
