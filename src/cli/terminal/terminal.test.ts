import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { terminal } from './terminal.ts'

it('a long file is written without piling up listeners, of which Node would warn', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-terminal-'))
  const warnings: string[] = []
  const warn = ({ name }: Error) => void warnings.push(name)
  process.on('warning', warn)
  try {
    const { append, close } = terminal({ out: join(directory, 'out') })
    for (let i = 0; i < 40; i++) await append('out', 'x'.repeat(100_000))
    await close()
    await new Promise((next) => setImmediate(next))
    assert.deepEqual(warnings, [])
  } finally {
    process.off('warning', warn)
    rmSync(directory, { recursive: true })
  }
})

for (const keeps of [false, true])
  it(`a file is replaced only by a whole one, with its permissions (${keeps ? 'another' : 'this'} process writes it)`, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'kartoteka-terminal-'))
    const out = join(directory, 'out')
    writeFileSync(out, 'before')
    chmodSync(out, 0o640)
    const written = async (isDone: boolean) => {
      const { append, keepFiles, close } = terminal({ out })
      if (keeps) keepFiles()
      await append('out', 'after')
      assert.equal(readFileSync(out, 'utf8'), 'before')
      for (const name of readdirSync(directory).filter((one) => one !== 'out'))
        assert.equal(statSync(join(directory, name)).mode & 0o077, 0)
      await close(isDone)
      assert.deepEqual(readdirSync(directory), ['out'])
      return readFileSync(out, 'utf8')
    }
    try {
      assert.equal(await written(false), 'before')
      assert.equal(await written(true), 'after')
      assert.equal(statSync(out).mode & 0o777, 0o640)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
