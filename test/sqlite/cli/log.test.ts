import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it } from 'node:test'

const source = new URL('../../../src/cli/commands/serve/lazy-log.ts', import.meta.url).href

it('a line of the log holds nothing that a terminal obeys, and reads as what was logged', () => {
  const text = 'a\u009b31m\u202eb\u2066\u2028\u007f\u001bc'
  const program = `const { lazyLog } = await import(${JSON.stringify(source)}); lazyLog('info').warn({ text: ${JSON.stringify(text)} }, 'said')`
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const line = stderr.split('\n').find((one) => one.includes('said'))!
  assert.equal(JSON.parse(line).text, text)
  // oxlint-disable-next-line no-control-regex -- they are what it is about
  assert.doesNotMatch(line, /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/)
})
