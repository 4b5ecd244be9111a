import assert from 'node:assert/strict'
import { it } from 'node:test'
import { show, type Context } from './command.ts'

it('shows any number of rows, in columns as wide as their widest cell', async () => {
  const lines: string[] = []
  const line = (text: string) => {
    lines.push(text)
    return Promise.resolve()
  }
  const rows = Array.from({ length: 200_000 }, (_, id) => ({ id, name: 'x' }))
  await show({ options: {}, output: { line } } as unknown as Context, rows)
  assert.deepEqual([lines.length, lines[0], lines[1], lines.at(-1)], [200_001, 'id      name', '0       x', '199999  x'])
})
