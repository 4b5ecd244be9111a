import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
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
