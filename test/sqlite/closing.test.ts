import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { issueToken } from '../../src/store/people/tokens.ts'
import { env } from '../support/hooked.ts'
import { startReceiver } from '../support/receiver.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('a server that stops', () => {
  it('takes no request any more while the delivery of webhooks still ends', async (context) => {
    const receiver = await startReceiver((response) => void response.writeHead(204).end())
    const directory = mkdtempSync(join(tmpdir(), 'kartoteka-closing-'))
    context.after(async () => {
      await receiver.close()
      rmSync(directory, { recursive: true })
    })
    const app = await startServer(readConfig({}, { ...env, KARTOTEKA_DATA: directory, PORT: '0' }), silent)
    const { token } = await issueToken(app.store, operator, { login: app.firstAdministrator!.login })
    const send = async (method: string, path: string, body?: object) => {
      const headers = { 'X-Auth-Token': token, 'Content-Type': 'application/vnd.api+json' }
      const answer = await fetch(`${app.url}/api/dev/${path}`, { method, headers, ...(body && { body: JSON.stringify({ data: body }) }) })
      await answer.arrayBuffer()
      return answer.status
    }
    const url = `http://127.0.0.1:${receiver.port}/`
    assert.equal(await send('POST', 'webhook', { type: 'webhook', attributes: { url } }), 201)
    assert.equal(await send('POST', 'table', { type: 'table', attributes: { table_name: 'Deals' } }), 201)

    // Another write lasts: the deliverer waits for its turn to put what is new into its queue.
    const [begun, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const lasting = app.store.db.write(
      async () => {
        begun.resolve()
        await free.promise
      },
      { alone: true },
    )
    await begun.promise
    let isClosed = false
    const closing = app.close().then(() => (isClosed = true))
    context.after(() => Promise.all([free.resolve(), lasting, closing]))
    let last: number | undefined
    for (let i = 0; i < 1_000 && (last = await send('GET', 'table').catch(() => undefined)) === 200; i++) await sleep(50)
    assert.ok(last === undefined || last === 503, String(last))
    assert.equal(isClosed, false)
    free.resolve()
    await Promise.all([lasting, closing])
  })
})
