import assert from 'node:assert/strict'
import { it } from 'node:test'
import { plain, type Attribute } from '../../fields/field-type.ts'
import { list } from '../../fields/list.ts'
import { compareCodePoints } from '../../filter/code-points.ts'
import { placesOf } from '../../filter/compile.ts'
import { turnsDuring } from '../../../test/support/turns.ts'
import type { Granted } from '../model/access.ts'
import { pages } from './pages.ts'

it('the order of a list with many options is worked out while others have their turn', async () => {
  const begins = 'ё\u0323'.repeat(100)
  const options = Array.from({ length: 10_000 }, (_, i) => ({ id: i + 1, label: `${begins}${(i * 7_919) % 10_000}`, removed: false }))
  const attribute: Attribute = { name: 'f1', column: 'f1', type: list, settings: { ...plain, options } }
  const attributes = new Map([['f1', attribute]])
  const granted = { attributes, table: { attributes }, caller: {}, readFilter: '' } as unknown as Granted<'read'>
  const store = {} as Parameters<typeof pages>[0]
  const reader = { page: async () => ({ rows: [], total: 0 }), idle: async () => undefined } as unknown as Parameters<typeof pages>[1]
  const sort = [{ attribute, descending: false }]
  const turns = await turnsDuring(() => pages(store, reader).page(granted, { filter: undefined, sort, offset: 0, limit: 1 }))
  assert.ok(turns >= 70, `${turns} turns`)
  const ordered = options.toSorted((one, other) => compareCodePoints(one.label, other.label)).map(({ id }) => id)
  const places = placesOf(attribute)
  assert.deepEqual(
    options.map(({ id }) => id).toSorted((one, other) => places.get(one)! - places.get(other)!),
    ordered,
  )
})
