import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { it } from 'node:test'

/** A process that needs much space for what is short-lived as it starts, and again later: MiB of it in between, and in the end. */
const program = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { keepHeapSmall } from '${new URL('../../../src/cli/commands/serve/small-heap.ts', import.meta.url)}'
  const space = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space').space_size / 2 ** 20
  const turn = () => new Promise((next) => setTimeout(next, 10))
  async function work(reached) {
    let kept = []
    for (let turns = 0; turns < 500 && !reached(); turns++) {
      for (let i = 0; i < 20_000; i++) kept.push({ i, text: String(i) })
      if (kept.length > 200_000) kept = []
      await turn()
    }
  }
  keepHeapSmall()
  const end = performance.now() + 900
  await work(() => performance.now() > end)
  while (space() > 8) await turn()
  const between = space()
  await work(() => space() >= 16)
  const after = space()
  // In between, nothing is asked.
  const grown = []
  for (let pauses = 0; pauses < 2; pauses++) {
    await work(() => space() >= 32)
    await new Promise((next) => setTimeout(next, 600))
    gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    const small = space()
    await new Promise((next) => setTimeout(next, 600))
    await work(() => space() >= 16)
    grown.push([small, space()])
  }
  console.log(JSON.stringify({ between, after, grown }))
`

it('a start that takes much space leaves room for what is short-lived later, and so do times without requests', () => {
  const flags = ['--expose-gc', '--input-type=module', '--eval']
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, program], { encoding: 'utf8', timeout: 120_000 })
  const { between, after, grown } = JSON.parse(stdout || '{}') as { between: number; after: number; grown: [number, number][] }
  assert.ok(between <= 8 && after >= 16, `${stdout}${stderr}`)
  assert.equal(grown.length, 2)
  for (const [small, large] of grown) assert.ok(small <= 8 && large >= 16, stdout)
})
