import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { commitQueue, type WriterConnection } from '../../src/store/sqlite/commit-queue.ts'

/** A connection whose transaction ends when a statement says so, as SQLite's does on a full disk. */
function connection(): WriterConnection & { said: string[] } {
  let open = false
  const said: string[] = []
  return {
    said,
    all: async () => [],
    run: async () => 1,
    runReturning: async () => [],
    createTable: async () => {},
    alterStructure: async () => {},
    insert: async () => [],
    execute(statement) {
      said.push(statement)
      if (statement.startsWith('BEGIN')) open = true
      if (statement === 'COMMIT' || statement === 'ROLLBACK') open = false
      if (statement === 'full disk') {
        open = false
        throw new Error('full disk')
      }
    },
    inTransaction: () => open,
    explain: (error) => error,
  }
}

const ledger = { beforeCommit: async () => {}, afterCommit: () => {} }

describe('the commit queue', () => {
  it('tells everybody of a transaction that the disk ended that they failed', { timeout: 5000 }, async () => {
    const writer = connection()
    const { write } = commitQueue(writer, ledger)
    const committed: string[] = []
    const done = await Promise.allSettled([
      write(async () => 'first', { onCommit: () => committed.push('first') }),
      write(async () => writer.execute('full disk')),
      write(async () => 'third'),
    ])
    assert.deepEqual(
      done.map((one) => one.status),
      ['rejected', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(committed, [])
  })

  it('undoes alone what failed, and commits the others', async () => {
    const writer = connection()
    const { write } = commitQueue(writer, ledger)
    const done = await Promise.allSettled([write(async () => 1), write(async () => Promise.reject(new Error('no'))), write(async () => 3)])
    assert.deepEqual(
      done.map((one) => one.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.equal(writer.said.filter((one) => one === 'COMMIT').length, 1)
    assert.equal(writer.said.filter((one) => one === 'ROLLBACK TO job').length, 1)
  })

  it('pauses outside of any transaction, in turn, and goes on when a pause fails', async () => {
    const writer = connection()
    const { write, pause } = commitQueue(writer, ledger)
    const said = async (what: string) => void writer.said.push(`${what}, ${writer.inTransaction() ? 'in' : 'outside of'} a transaction`)
    const done = await Promise.allSettled([
      write(() => said('first')),
      pause(() => said('pause')),
      pause(async () => Promise.reject(new Error('no'))),
      write(() => said('last')),
    ])
    assert.deepEqual(
      done.map((one) => one.status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(
      writer.said.filter((one) => !one.includes('job')),
      [
        'BEGIN IMMEDIATE',
        'first, in a transaction',
        'COMMIT',
        'pause, outside of a transaction',
        'BEGIN IMMEDIATE',
        'last, in a transaction',
        'COMMIT',
      ],
    )
  })

  it('tells a pause that somebody waits for its end: at once, when one comes, and never when it is over', async () => {
    const { write, pause } = commitQueue(connection(), ledger)
    const heard: string[] = []
    const hears = (name: string) => () => void heard.push(name)
    await Promise.all([pause(async () => heard.push('begins'), hears('the first')), write(async () => heard.push('write'))])
    assert.deepEqual(heard.splice(0), ['begins', 'the first', 'write'])
    let writing: Promise<unknown> | undefined
    await pause(async () => {
      await Promise.resolve()
      assert.deepEqual(heard, [])
      writing = write(async () => {})
      assert.deepEqual(heard, ['the second'])
    }, hears('the second'))
    await writing
    await write(async () => {})
    assert.deepEqual(heard, ['the second'])
  })

  it('ends a transaction after any of its writes when others wait for the lease', async () => {
    const writer = connection()
    let wanted = 0
    const lease = {
      acquire: async () => {},
      isWanted: () => ++wanted === 2,
      announce: () => {},
      release: () => void writer.said.push('released'),
    }
    const { write } = commitQueue({ ...writer, lease }, ledger)
    await Promise.all([1, 2, 3].map((i) => write(async () => void writer.said.push(`write ${i}`))))
    assert.deepEqual(
      writer.said.filter((one) => !one.includes('job')),
      ['BEGIN IMMEDIATE', 'write 1', 'write 2', 'COMMIT', 'released', 'BEGIN IMMEDIATE', 'write 3', 'COMMIT', 'released'],
    )
  })
})
