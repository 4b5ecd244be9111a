import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openInstallation } from '../../../src/app/installation.ts'
import { readConfig } from '../../../src/config.ts'
import { sql } from '../../../src/sql/sql.ts'
import type { Db } from '../../../src/store/ground/db.ts'
import { scratchProgram, type ScratchProgram } from '../../support/scratch-program.ts'
import { allTold, makeTold, type Told } from '../../support/told-ledger.ts'

/* The real program with a ledger in its list: nobody who opens a store for it has to name the list. */

const planted = { NODE_OPTIONS: `--import=${new URL('../../support/plant-ledger.ts', import.meta.url).href}` }
/** An import of more lines runs in a thread. */
const LINES = 1_200

describe('a ledger in the list', () => {
  let program: ScratchProgram
  before(() => {
    program = scratchProgram(planted)
  })
  after(() => program.remove())

  /** Something done by this process, whose own list is empty. */
  async function within<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const { store, close } = await openInstallation(readConfig({}, { KARTOTEKA_DATA: program.data }))
    try {
      return await work(store.db)
    } finally {
      await close()
    }
  }
  const told = (): Promise<Told[]> => within(allTold)
  const csv = (from: number, lines: number) =>
    program.file(`${from}.csv`, `Name\n${Array.from({ length: lines }, (_, i) => `name ${from + i}\n`).join('')}`)

  it('is told of what the thread of an import writes, and of what commands and servers do', async () => {
    await within(makeTold)
    await program.ok('import', 'Goods', csv(0, LINES), '--create')
    const all = await told()
    assert.deepEqual(
      [all.length, new Set(all.map(({ act, door, batch }) => `${act} ${door} ${batch}`))],
      [LINES, new Set(['create import thread 0'])],
    )
    await program.ok('import', 'Goods', csv(LINES, 3))
    assert.deepEqual(
      (await told()).slice(LINES).map(({ act, door, batch }) => `${act} ${door} ${batch}`),
      Array.from({ length: 3 }, () => 'create import process 0'),
    )
    const token = await program.token()
    const server = await program.serve()
    assert.equal((await server.call(token, 'DELETE', 'data1/1')).status, 200)
    await server.stop()
    const last = (await told()).at(-1)!
    assert.deepEqual([last.act, last.recordId, last.door], ['delete', 1, 'api'])
  })

  it('is told that the operator erased what `trash purge` erases', async () => {
    await within((db) => db.write((tx) => tx.run(sql`UPDATE trash SET deleted = '2001-01-01 00:00:00'`)))
    assert.match(await program.ok('trash', 'purge'), /^1 erased/)
    const last = (await told()).at(-1)!
    assert.deepEqual([last.act, last.recordId, last.door], ['erase', 1, 'command'])
  })
})
