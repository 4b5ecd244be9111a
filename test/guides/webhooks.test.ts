import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { limits } from '../../src/limits.ts'
import { MOST_ATTEMPTS } from '../../src/webhooks/backoff.ts'
import { reachable } from '../../src/webhooks/networks.ts'
import { send } from '../../src/webhooks/send.ts'
import { makeSecret, signatureHeaders } from '../../src/webhooks/sign.ts'
import { programsOf } from '../support/page-programs.ts'
import { freePort } from '../support/free-port.ts'
import { randomOf } from '../support/random.ts'
import { seed } from '../support/seed.ts'

/* Runs the receivers of docs/webhooks.md and sends them webhooks, genuine ones and others. */

const page = programsOf('webhooks.md', [
  { language: 'js', file: 'receiver.mjs', program: process.execPath, args: (file: string) => [file] },
  { language: 'python', file: 'receiver.py', program: 'python3', args: (file: string) => [file] },
  { language: 'php', file: 'receiver.php', program: 'php', args: (file: string, port: number) => ['-S', `127.0.0.1:${port}`, file] },
])

const random = randomOf(seed)
const [secret, other] = [makeSecret((count) => random.bytes(count)), makeSecret((count) => random.bytes(count))]
const document = (record: string): string =>
  JSON.stringify({
    data: { type: 'change', id: '1', attributes: { action: 'update', table_id: '7', record_id: record, title: 'Größe № 5 — 日本' } },
  })

describe('docs/webhooks.md', () => {
  let scratch: string
  before(() => (scratch = mkdtempSync(join(tmpdir(), 'kartoteka-webhooks-'))))
  after(() => rmSync(scratch, { recursive: true }))

  page.itHasEach()

  it('says the limits and the waits as they are', () => {
    assert.ok(
      page.text.includes(
        `no answer within ${limits.webhookTime.most / 1_000} seconds, no connection within ${limits.webhookConnect.most / 1_000},`,
      ),
    )
    assert.ok(page.text.includes(`(${MOST_ATTEMPTS} attempts)`))
    assert.equal(limits.webhookWait.most, 7_200_000)
  })

  for (const { language, file, program, args } of page.here)
    it(`${file} takes genuine webhooks and refuses all others`, async () => {
      writeFileSync(join(scratch, file), page.programIn(language))
      const port = await freePort()
      const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], WEBHOOK_SECRET: secret, PORT: String(port) }
      const receiver = spawn(program, args(join(scratch, file), port), { env, stdio: ['ignore', 'pipe', 'ignore'] })
      let printed = ''
      receiver.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
      try {
        await listening(receiver, port)
        await tryOut(`http://127.0.0.1:${port}/`)
      } finally {
        receiver.kill()
        await once(receiver, 'close')
      }
      assert.equal(printed, 'update: record 1 of table 7\nupdate: record 2 of table 7\nupdate: record 3 of table 7\n')
    })
})

/** Sends three webhooks that are taken, and many that are not. */
async function tryOut(address: string): Promise<void> {
  const rules = { allowsHttp: true, isReachable: reachable(['127.0.0.1']) }
  const now = Date.now()
  const sent = (record: string, at: number, secrets: readonly string[]) =>
    send({ id: `change-${record}`, at, body: document(record), address, secrets }, { rules })
  assert.deepEqual(await sent('1', now, [secret]), { status: 204 })
  assert.deepEqual(await sent('2', now - 240_000, [other, secret]), { status: 204 })
  assert.deepEqual(await sent('3', now + 240_000, [secret, other]), { status: 204 })
  assert.deepEqual(await sent('4', now, [other]), { status: 401 })
  assert.deepEqual(await sent('5', now - 360_000, [secret]), { status: 401 })
  assert.deepEqual(await sent('6', now + 360_000, [secret]), { status: 401 })

  const body = document('7')
  const headers = signatureHeaders({ id: 'change-7', at: now, body }, [secret])
  const [signature = '', timestamp = ''] = [headers['webhook-signature'], headers['webhook-timestamp']]
  for (const [name, value] of [
    ['webhook-id', 'change-8'],
    ['webhook-id', undefined],
    ['webhook-timestamp', String(Number(timestamp) - 1)],
    ['webhook-timestamp', `0${timestamp}`],
    ['webhook-timestamp', 'now'],
    ['webhook-timestamp', undefined],
    ['webhook-signature', undefined],
    ['webhook-signature', 'v1,'],
    ['webhook-signature', 'v1'],
    ['webhook-signature', ','],
    ['webhook-signature', signature.slice(0, 12)],
    ['webhook-signature', signature.replace('v1,', 'v2,')],
    ['webhook-signature', signature.slice('v1,'.length)],
    ['webhook-signature', 'v1,ÿÿÿÿ'],
  ] as const) {
    const changed = Object.entries({ ...headers, [name]: value }).filter((header): header is [string, string] => header[1] !== undefined)
    const { status } = await fetch(address, { method: 'POST', headers: changed, body })
    assert.equal(status, 401, `${name}: ${value}`)
  }
  const { status } = await fetch(address, { method: 'POST', headers, body: `${body} ` })
  assert.equal(status, 401, 'a body with a space more')
}

/** Waits until the receiver answers. */
async function listening(receiver: ChildProcess, port: number): Promise<void> {
  for (;;) {
    assert.equal(receiver.exitCode, null, 'The receiver has ended.')
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).catch(() => undefined)
    if (answer) return assert.equal(answer.status, 401)
    await wait(50)
  }
}
