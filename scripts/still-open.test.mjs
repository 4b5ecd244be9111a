import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

describe('a process of tests', () => {
  it('that has left something open ends with an error that names it', () => {
    const { status, stdout } = run("it('opens', () => void createServer().listen(0))")
    assert.notEqual(status, 0)
    assert.match(stdout, /✔ opens/)
    assert.match(stdout, /No test began or ended for 1\.5 s, and the process did not end\. It still has: .*TCPServerWrap/)
  })

  it('goes on where it is tested, and where it ends by itself', () => {
    const { status, stdout } = run(
      "for (const name of ['first', 'second', 'third', 'fourth']) it(name, () => new Promise((resolve) => setTimeout(resolve, 600)))",
    )
    assert.equal(status, 0, stdout)
    assert.match(stdout, /✔ fourth/)
  })
})

function run(tests) {
  const folder = mkdtempSync(join(tmpdir(), 'kartoteka-still-open-'))
  try {
    const file = join(folder, 'some.test.mjs')
    writeFileSync(file, `import { createServer } from 'node:net'\nimport { it } from 'node:test'\n${tests}\n`)
    const loaded = new URL('still-open.mjs', import.meta.url)
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    return spawnSync(process.execPath, [`--import=${loaded}`, '--test', file], {
      env: { ...env, KARTOTEKA_TEST_STILL_OPEN: '1500' },
      encoding: 'utf8',
      timeout: 60_000,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
