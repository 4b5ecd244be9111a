import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startServer } from '../../src/app.ts'
import { openInstallation } from '../../src/app/installation.ts'
import { makeDemo } from '../../src/cli/commands/demo/make-demo.ts'
import { readConfig } from '../../src/config.ts'
import { sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { BEGINNING, followChanges } from '../../src/store/changes/follow-changes.ts'
import { allRows, committed } from '../../src/store/ground/relation.ts'
import { openJobs } from '../../src/store/jobs/job-work.ts'
import { createJob, jobs, NEVER } from '../../src/store/jobs/jobs.ts'
import { grant } from '../../src/store/model/access.ts'
import { createRecord } from '../../src/store/records/write-records.ts'
import { createField } from '../../src/store/structure/fields.ts'
import { createTable } from '../../src/store/structure/tables.ts'
import { backUp } from '../../src/store/upkeep/backup.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import { sweepFiles } from '../../src/store/records/files.ts'
import { lockDirectory } from '../../src/store/sqlite/directory-lock.ts'
import { restoreBackup } from '../../src/store/upkeep/restore.ts'
import type { Store } from '../../src/store/ground/store.ts'

const findings = async (store: Store) => {
  const all: string[] = []
  for await (const finding of checkIntegrity(store)) all.push(finding)
  return all
}
const quiet = async () => {}
const restore = (from: string, to: string, moveAside = false) =>
  restoreBackup(from, to, { inspect: async () => [], moveAside, time: '2024-05-01 09:30:15' })

const linkOf = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    // Closed since the directory was read.
    return ''
  }
}

describe('backup, restore and check', () => {
  let root: string
  let installation: Awaited<ReturnType<typeof openInstallation>>
  const at = (name: string) => join(root, name)
  const open = (name: string) => openInstallation(readConfig({ data: at(name) }, {}))
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'kartoteka-backup-'))
    installation = await open('data')
    await makeDemo(installation.store, operator, 20, quiet)
  })
  after(async () => {
    await installation.close()
    rmSync(root, { recursive: true })
  })

  it('a copy restores to the same installation, and sha256sum agrees with its list', async () => {
    const { files } = await backUp(installation.store, at('data'), at('copy'), quiet)
    assert.ok(files > 0)
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: at('copy') })
    await restore(at('copy'), at('restored'))
    const restored = await open('restored')
    const dump = async (store: Store) =>
      store.db.read(...[1, 2, 3, 4].map((id) => sql`SELECT * FROM ${sql`data`}${[sql`1`, sql`2`, sql`3`, sql`4`][id - 1]!} ORDER BY id`))
    assert.deepEqual(await dump(restored.store), await dump(installation.store))
    assert.deepEqual(await findings(restored.store), [])
    await restored.close()
  })

  it('keeps no file of the copy open that the storage has already', async () => {
    const files = { putAs: async () => {} }
    await restoreBackup(at('copy'), at('elsewhere'), { inspect: async () => [], files, moveAside: false, time: '2024-05-01 09:30:15' })
    const open = readdirSync('/proc/self/fd').map((name) => linkOf(`/proc/self/fd/${name}`))
    assert.deepEqual(
      open.filter((path) => path.startsWith(at('copy'))),
      [],
    )
    assert.ok(!existsSync(at('elsewhere/files')))
  })

  it('writes over nothing', async () => {
    await assert.rejects(backUp(installation.store, at('data'), at('copy'), quiet), { code: 'backup.target_exists' })
    await assert.rejects(restore(at('copy'), at('data')), { code: 'server.directory_in_use' })
    await assert.rejects(restore(at('copy'), at('restored')), { code: 'restore.not_empty' })
  })

  it('restores nothing of a copy that is damaged or not whole', async () => {
    const list = readFileSync(at('copy/SHA256SUMS'), 'utf8')
    const [, victim] = /^[0-9a-f]{64} {2}(files\/\S+)$/m.exec(list)!
    const bytes = readFileSync(at(`copy/${victim!}`))
    writeFileSync(at(`copy/${victim!}`), 'other bytes')
    await assert.rejects(restore(at('copy'), at('never')), { code: 'backup.damaged' })
    writeFileSync(at(`copy/${victim!}`), bytes)
    rmSync(at('copy/SHA256SUMS'))
    await assert.rejects(restore(at('copy'), at('never')), { code: 'backup.not_found' })
  })

  it('restores nothing outside of the data directory, whatever the list says', async () => {
    await backUp(installation.store, at('data'), at('hostile'), quiet)
    const list = readFileSync(at('hostile/SHA256SUMS'), 'utf8')
    const empty = createHash('sha256').digest('hex')
    writeFileSync(at('outside'), '')
    for (const path of ['../outside', '/../../outside', 'files/../../outside', 'files/ab/../../../outside', 'lock.sqlite', ''])
      for (const lines of [`${list}${empty}  ${path}\n`, `${empty}  ${path}\n${list}`]) {
        writeFileSync(at('hostile/SHA256SUMS'), lines)
        await assert.rejects(restore(at('hostile'), at('never')), { code: 'backup.damaged' }, path)
        assert.ok(!existsSync(at('never')), path)
      }
    writeFileSync(
      at('hostile/SHA256SUMS'),
      list
        .split('\n')
        .filter((line) => !line.endsWith('.sqlite'))
        .join('\n'),
    )
    await assert.rejects(restore(at('hostile'), at('never')), { code: 'backup.damaged' })
  })

  it('is no backup when bytes of a file are missing, and takes along no bytes that nothing names', async () => {
    const { store } = installation
    const orphan = await store.files.put(Buffer.from('nobody names these'))
    const { files } = await backUp(store, at('data'), at('lean'), quiet)
    const [named] = await store.db.read(sql`SELECT count(DISTINCT hash) FROM files`)
    assert.equal(files, named![0]![0])
    assert.ok(!existsSync(at(`lean/files/${orphan.slice(0, 2)}/${orphan.slice(2)}`)))
    const { stream } = store.files
    Object.assign(store.files, { stream: async () => undefined })
    await assert.rejects(backUp(store, at('data'), at('torn'), quiet), { code: 'backup.source_damaged' })
    Object.assign(store.files, { stream })
    assert.ok(!existsSync(at('torn')))
  })

  it('holds what it names: what is erased and swept meanwhile is in it, and goes with the next sweep', async () => {
    const { store, close } = await open('restored')
    const long = new Date(0)
    for await (const hash of store.files.list()) utimesSync(join(root, 'restored/files', hash.slice(0, 2), hash.slice(2)), long, long)
    const [before] = await store.db.read(sql`SELECT count(DISTINCT hash) FROM files`)
    let swept = -1
    const erase = async (done: number) => {
      if (done !== 1) return
      // Another backup ends meanwhile, and lets go of what it held itself.
      await backUp(store, at('restored'), at('beside'), quiet)
      await store.db.write(async (tx) => {
        await tx.run(sql`DELETE FROM files WHERE record_id > 1`)
        await tx.run(sql`DELETE FROM change_files`)
      })
      swept = await sweepFiles(store)
    }
    const { files } = await backUp(store, at('restored'), at('held'), erase)
    assert.equal(files, Number(before![0]![0]))
    assert.equal(swept, 0)
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: at('held') })
    assert.ok((await sweepFiles(store)) > 0)
    // Files that records no longer name are put back, for the tests after this one.
    await restore(at('held'), at('anew'))
    const anew = await open('anew')
    assert.deepEqual(await findings(anew.store), [])
    await anew.close()
    await close()
  })

  it('one that fails leaves nothing of itself, since the disk may be full of it', async () => {
    const full = () => Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }))
    await assert.rejects(backUp(installation.store, at('data'), at('failed'), full), { code: 'ENOSPC' })
    assert.deepEqual([existsSync(at('failed')), existsSync(at('failed.part'))], [false, false])
  })

  it('two backups to the same place do not meet', async () => {
    const { store } = installation
    let second: unknown
    await backUp(store, at('data'), at('once-only'), async (done) => {
      if (done === 1) second = await backUp(store, at('data'), at('once-only'), quiet).catch((error: unknown) => error)
    })
    assert.equal((second as { code: string }).code, 'server.directory_in_use')
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: at('once-only') })
    assert.ok(!existsSync(at('once-only.part')))
  })

  it('carries the log of changes: a cursor from before goes on, one from after the backup is refused', async () => {
    const { store } = installation
    const change = (title: string) =>
      createTable(store, operator, { title }).then((id) => createField(store, operator, { tableId: id, title, typeName: 'text' }))
    const write = async (to: Store, name: string) => {
      const table = [...to.catalogue().tables.values()].find(({ title }) => title === 'Followed')!
      await createRecord(to, grant('create', table.id, operator, to.catalogue()), new Map([[table.fields[0]!.name, name]]))
    }
    const follow = async (of: Store, after: number) => {
      const all: unknown[] = []
      for (let cursor = after; ;) {
        const { changes, cursor: next } = await followChanges(of, operator, { after: cursor, limit: 50, filter: undefined })
        all.push(...changes.map(({ changes: shown }) => Object.values(shown ?? {}).at(-1)?.to))
        if (changes.length === 0 && next === cursor) return { all, cursor }
        cursor = next
      }
    }
    await change('Followed')
    await write(store, 'before')
    const { cursor } = await follow(store, BEGINNING)
    await backUp(store, at('data'), at('followed'), quiet)
    await write(store, 'lost')
    const lost = await follow(store, BEGINNING)
    await restore(at('followed'), at('goes-on'))
    const restored = await open('goes-on')
    await write(restored.store, 'after the restore')
    assert.deepEqual((await follow(restored.store, cursor)).all, ['after the restore'])
    await assert.rejects(follow(restored.store, lost.cursor), { code: 'change.expired' })
    assert.deepEqual(await findings(restored.store), [])
    await restored.close()
  })

  it('entity tags of before are none of the restored installation, which may count the same versions anew', async () => {
    await backUp(installation.store, at('data'), at('tagged'), quiet)
    await restore(at('tagged'), at('once'))
    const restored = await open('once')
    assert.notEqual(restored.store.instance, installation.store.instance)
    assert.match(restored.store.instance, /^[A-Za-z0-9]{8}$/)
    const { instance } = restored.store
    await restored.close()
    const again = await open('once')
    assert.equal(again.store.instance, instance)
    await again.close()
  })

  it('carries the files of jobs; those that wait or run are cancelled by a restore, and others stay as they are', async () => {
    const { store } = installation
    const [input, result] = [await store.files.put(Buffer.from('a file to import')), await store.files.put(Buffer.from('an export'))]
    const states = ['draft', 'queued', 'running', 'done'] as const
    const ids: number[] = []
    for (const state of states) {
      const id = await createJob(store, operator, { kind: 'import', tableId: 1, input: {}, state: 'draft' })
      await store.db.write((tx) =>
        tx.run(sql`UPDATE jobs SET state = ${state}, statek = ${state}, input_file = ${input}, holder = ${state === 'running' ? 'x' : ''},
          result_file = ${state === 'done' ? result : ''} WHERE id = ${id}`),
      )
      ids.push(id)
    }
    assert.deepEqual(await findings(store), [])
    await backUp(store, at('data'), at('jobs'), quiet)
    await restore(at('jobs'), at('jobs restored'))
    const restored = await open('jobs restored')
    try {
      assert.deepEqual(await findings(restored.store), [])
      const kept = await allRows(committed(restored.store), jobs)
      assert.deepEqual(
        kept.map(({ state, error, endTime }) => [state, error?.code, endTime === NEVER]),
        [
          ['draft', undefined, true],
          ['cancelled', 'job.restored', false],
          ['cancelled', 'job.restored', false],
          ['done', undefined, true],
        ],
      )
      assert.deepEqual(await openJobs(restored.store), [])
      await rm(at(`jobs restored/files/${result.slice(0, 2)}/${result.slice(2)}`))
      assert.deepEqual(await findings(restored.store), [`Job ${ids[3]}: the bytes of its result (SHA-256 ${result}) are gone.`])
    } finally {
      await restored.close()
    }
    await store.db.write((tx) => tx.run(sql`DELETE FROM jobs`))
  })

  it('check finds each kind of damage', async () => {
    const { store } = installation
    const damage = (statement: ReturnType<typeof sql>) => store.db.write((tx) => tx.run(statement))
    assert.deepEqual(await findings(store), [])
    await damage(sql`UPDATE tables SET record_count = record_count + 1 WHERE id = 1`)
    await damage(sql`UPDATE block_counts SET n = n - 1 WHERE table_id = 2`)
    await damage(sql`UPDATE data1 SET f1k = 'other' WHERE id = 3`)
    await damage(sql`UPDATE data2 SET f10 = 999999 WHERE id = 5`)
    await damage(sql`UPDATE data3 SET f23 = 'gone.txt', f23k = 'gone.txt' WHERE id = 1`)
    await damage(sql`UPDATE files SET hash = ${'0'.repeat(64)} WHERE id = 1`)
    const found = (await findings(store)).join('\n')
    for (const sign of [
      /total says 21, and there are 20/,
      /block counts/,
      /record 3, Name: the key/,
      /refers to 999999/,
      /file names/,
      /bytes are gone/,
    ])
      assert.match(found, sign)
  })

  it('one process at a time has a data directory', async () => {
    assert.throws(() => lockDirectory(at('data')), { code: 'server.directory_in_use' })
    await assert.rejects(startServer(readConfig({ data: at('data'), port: '0' }, {}), console), { code: 'server.directory_in_use' })
    lockDirectory(at('other'))()
    lockDirectory(at('other'))()
  })
})
