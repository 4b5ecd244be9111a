import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sweepChanges } from '../../src/store/changes/sweep-changes.ts'
import { programsOf } from '../support/page-programs.ts'
import { startService, type Service } from '../support/service.ts'

/* Runs the programs of docs/changes.md: each keeps a copy of table 1, is stopped in between, and goes on with its cursor. */

const page = programsOf('changes.md', [
  { language: 'js', file: 'follow.mjs', program: process.execPath },
  { language: 'python', file: 'follow.py', program: 'python3' },
  { language: 'php', file: 'follow.php', program: 'php' },
])
const DAY = 86_400_000

describe('docs/changes.md', () => {
  let service: Service
  let scratch: string
  before(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'kartoteka-changes-'))
    service = await startService()
    const { id } = await service.table('Deals', { title: 'text', sum: 'integer', note: 'longtext' })
    assert.equal(id, 1)
    for (let i = 1; i <= 60; i++) await service.make('data1', { f1: `Deal ${i}`, f2: String(i) })
  })
  after(async () => {
    await service.close()
    rmSync(scratch, { recursive: true })
  })

  page.itHasEach()

  const table = async (token = service.token) => {
    const records: Record<string, unknown> = {}
    for (let last = 0; ;) {
      const { data } = (await service.get(`data1?filter=gt(id,${last})&page[limit]=50`, token)).json
      if (data.length === 0) return records
      for (const { id, attributes } of data) records[id] = [attributes.f1, attributes.f2, attributes.f3]
      last = data.at(-1).id
    }
  }

  for (const { language, file, program } of page.here)
    it(`${file} has the same records as the table, whatever happened between its runs`, { timeout: 120_000 }, async () => {
      const text = page.programIn(language)
      writeFileSync(join(scratch, file), text)
      const COPY = join(scratch, `${language}.json`)
      const env = {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        KARTOTEKA_URL: service.url,
        KARTOTEKA_TOKEN: service.token,
        COPY,
        ONCE: '1',
      }
      const follow = async () => {
        const run = spawn(program, [join(scratch, file)], { env, stdio: ['ignore', 'inherit', 'inherit'] })
        assert.deepEqual(await once(run, 'close'), [0, null])
        const { records } = JSON.parse(readFileSync(COPY, 'utf8')) as { records: Record<string, { f1?: string; f2?: string; f3?: string }> }
        return Object.fromEntries(Object.entries(records).map(([id, { f1 = '', f2 = '0', f3 = '' }]) => [id, [f1, f2, f3]]))
      }
      const back = async (id: string) => {
        const [entry] = (await service.get(`trash?filter=eq(item_id,${id})`)).json.data
        assert.equal((await service.call('POST', `trash/${entry.id}/restore`)).status, 200)
      }
      const gone = await service.make('data1', { f1: 'Deleted before', f3: 'A note' })
      await service.remove(`data1/${gone}`)
      assert.deepEqual(await follow(), await table())
      const made: string[] = []
      for (let i = 0; i < 70; i++) made.push(await service.make('data1', i % 7 === 0 ? {} : { f1: `New ${i}`, f3: `Note ${i}` }))
      for (const id of made.slice(10, 20)) await service.change('data1', id, { f1: '', f2: '7' })
      for (const id of made.slice(15, 25)) await service.remove(`data1/${id}`)
      for (const id of [gone, ...made.slice(16, 20)]) await back(id)
      await service.change('data1', made[17]!, { f1: 'Came back' })
      await service.remove(`data1/${made[18]!}`)
      assert.deepEqual(await follow(), await table())
      // Its cursor expires: it begins again.
      await service.make('data1', { f1: 'Last before the gap' })
      service.clock.now += 32 * DAY
      await sweepChanges(service.store)
      service.clock.now += 400 * DAY
      const token = await service.signIn(service.first.login, service.first.password)
      assert.equal((await service.add('data1', { f1: 'First after it' }, token)).status, 201)
      await sweepChanges(service.store)
      env.KARTOTEKA_TOKEN = token
      assert.deepEqual(await follow(), await table(token))
    })
})
