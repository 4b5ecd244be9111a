import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import slowest from './slowest-reporter.mjs'

it('prints the files that took longest first', async () => {
  const summary = (file, duration_ms) => ({
    type: 'test:summary',
    data: { duration_ms, ...(file && { file: `${process.cwd()}/${file}` }) },
  })
  const told = []
  for await (const text of slowest([
    summary('a.test.ts', 500),
    { type: 'test:pass', data: {} },
    summary('b.test.ts', 2_000),
    summary(undefined, 2_600),
  ]))
    told.push(text)
  assert.equal(
    told.join(''),
    '\nSeconds of a processor by file, 0 in 2 (programs that they started: 0); seconds by the clock, 3:\n\n' +
      '     0.0     2.0  b.test.ts\n     0.0     0.5  a.test.ts\n',
  )
})

it('tells what a file took of a processor, and the programs that it started', { skip: process.platform !== 'linux' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'kartoteka-reporter-'))
  try {
    const busy = 'for (const end = Date.now() + 300; Date.now() < end; ) Math.random()'
    const file = join(folder, 'busy.test.mjs')
    writeFileSync(
      file,
      `import { it } from 'node:test'\nimport { spawnSync } from 'node:child_process'\nit('works', () => {\n${busy}\nspawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}])\n})\n`,
    )
    const here = (name) => fileURLToPath(new URL(name, import.meta.url))
    const options = [
      `--import=${pathToFileURL(here('processor-time.mjs'))}`,
      '--test',
      `--test-reporter=${here('slowest-reporter.mjs')}`,
      '--test-reporter-destination=stdout',
    ]
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const { stdout } = spawnSync(process.execPath, [...options, file], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...env, KARTOTEKA_TEST_PROCESSOR_TIME: folder },
    })
    const [, seconds] = /^ +(\d+\.\d) +\d+\.\d {2}busy\.test\.mjs$/m.exec(stdout) ?? assert.fail(stdout)
    // Each of both was at work for as long as the machine let it within 0.3 s.
    assert.ok(Number(seconds) > 0, stdout)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
