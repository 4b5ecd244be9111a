import assert from 'node:assert/strict'
import { it } from 'node:test'
import { indexedTable } from '../../support/indexed-table.ts'
import { setPartsOf } from '../../support/list-parts.ts'
import { scratchStore } from '../../support/scratch-store.ts'
import { until } from '../../support/until.ts'

it('many ranges of a field are found in its order, also where another term leaves few records', async () => {
  const { store, remove, faults } = await scratchStore()
  try {
    const table = await indexedTable(store, 3_000)
    const read = () => store.pages.figures()!.read
    const ask = (amount: number) => table.list(`and(eq(stage,'won'),gt(amount,${amount}))`)
    await table.list("eq(stage,'won')")
    const { order, set } = read()
    for (let n = 0; n < 5; n++) await ask(1_000 + n)
    assert.ok(read().set > set, 'the first ones are read')
    await until('that the order is read', () => read().order > order)
    await setPartsOf(store).sets.idle()
    await ask(2_000)
    const before = read()
    const lists = []
    for (let n = 0; n < 5; n++) lists.push(await ask(2_100 + n))
    assert.deepEqual(read(), before)
    assert.ok(lists.every(({ total }) => total > 0))
    assert.deepEqual(faults, [])
  } finally {
    await remove()
  }
})
