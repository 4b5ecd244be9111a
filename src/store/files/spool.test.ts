import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { spools } from './spool.ts'

it('files without a name share one limit (limits.answersOnDisk), and answers that are due are written beyond it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-spool-'))
  let made = 0
  const spool = spools(directory, () => String(made++), 100)
  try {
    const [first, second, due] = [await spool(), await spool(), await spool(true)]
    await first.write(Buffer.alloc(60))
    await assert.rejects(second.write(Buffer.alloc(41)), { code: 'server.busy', retryAfter: 5 })
    await second.write(Buffer.alloc(40))
    await due.write(Buffer.alloc(1_000))
    await due.close()
    await first.close()
    await second.write(Buffer.alloc(60))
    assert.equal(second.size, 100)
    await assert.rejects(second.write(Buffer.alloc(1)), { code: 'server.busy' })
    await second.close()
  } finally {
    rmSync(directory, { recursive: true })
  }
})

it('a file that would keep its name is not used, and who asked for it is told', async (context) => {
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-spool-'))
  const fault = Object.assign(new Error('Input/output error'), { code: 'EIO' })
  const removing = context.mock.method(promises, 'rm', () => Promise.reject(fault))
  syncBuiltinESMExports()
  try {
    await assert.rejects(spools(directory, () => 'name')(), fault)
    assert.deepEqual(readdirSync(directory), ['name'])
  } finally {
    removing.mock.restore()
    syncBuiltinESMExports()
    rmSync(directory, { recursive: true })
  }
})
