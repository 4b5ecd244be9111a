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
  console.log(JSON.stringify([between, space()]))
`

it('a start that takes much space leaves room for what is short-lived later', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8', timeout: 60_000 })
  const [between, after] = JSON.parse(stdout || '[]') as number[]
  assert.ok(between! <= 8 && after! >= 16, `${stdout}${stderr}`)
})
