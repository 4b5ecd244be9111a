import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keepUp } from './keep-up.ts'
import type { TableSets } from './table-sets.ts'

/** The sets of a table with so many changes, of which one was used lately; and how often that followed. */
function setsAfter(end: number) {
  const told = { followed: 0 }
  const one = { follow: () => ((told.followed += 1), true) }
  return {
    told,
    sets: { log: { end }, records: { count: () => undefined }, isEnded: false, usedLately: () => [one] } as unknown as TableSets,
  }
}

it('sets that were used lately follow, unless very many changes came in the pause before', async () => {
  for (const [end, followed] of [
    [1_000, 1],
    [1_400, 1],
    [1_401, 0],
  ] as const) {
    const { told, sets } = setsAfter(end)
    await keepUp(sets, 1_000, undefined)
    assert.equal(told.followed, followed)
  }
})
