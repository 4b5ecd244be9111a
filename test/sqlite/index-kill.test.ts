import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { it } from 'node:test'
import { parse } from '../../src/filter/parse.ts'
import { name, sql } from '../../src/sql/sql.ts'
import { grant } from '../../src/store/model/access.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { recordsOf } from '../../src/store/model/catalogue.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { scratchStore } from '../support/scratch-store.ts'

const program = fileURLToPath(new URL('../support/building-program.ts', import.meta.url))

/** Milliseconds after the lists that asked for indexes: the builds are somewhere. */
for (const moment of [0, 15, 60, 200])
  it(`a process killed ${moment} ms into the making of indexes leaves what the next one finishes`, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'kartoteka-killed-'))
    const child = spawn(process.execPath, [program, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const id = Number(/asked (\d+)/.exec(String(line))![1])
    await wait(moment)
    child.kill('SIGKILL')
    await once(child, 'exit')

    const { store, remove } = await scratchStore({}, directory)
    const total = async (filter: string) => {
      const granted = grant('read', id, operator, store.catalogue())
      return (await store.pages.page(granted, { filter: parse(filter), sort: [], offset: 0, limit: 1 })).total
    }
    const [counted] = await store.db.read(sql`SELECT count(*) FROM ${name(recordsOf(id))} WHERE instr(f1k, 'meanwhile') > 0`)
    assert.equal(await total("contains(f1,'Meanwhile')"), Number(counted![0]![0]))
    store.indexes.recheck()
    await store.indexes.idle()
    assert.equal(await total("contains(f1,'Meanwhile')"), Number(counted![0]![0]))
    const [rows] = await store.db.read(sql`SELECT state FROM indexes`)
    assert.ok(rows!.length > 0 && rows!.every(([state]) => state === 'ready'), JSON.stringify(rows))
    const findings: string[] = []
    for await (const finding of checkIntegrity(store)) findings.push(finding)
    assert.deepEqual(findings, [])
    await remove()
  })
