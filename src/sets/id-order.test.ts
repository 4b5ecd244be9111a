import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from '../../test/support/fast-check.ts'
import { keysLater } from '../../test/support/keys-later.ts'
import { IdOrder } from './id-order.ts'
import { LikeCounts, OrderCounts } from './order-counts.ts'
import { packedOrder, type Mark } from './order-parts.ts'
import { IdSet } from './id-set.ts'
import { packed } from './packed-set.ts'

/** Records by id with a small number as their key, so that many are equal. */
type Table = Map<number, number>

const sorted = (table: Table): number[] => [...table].sort(([a, x], [b, y]) => x - y || a - b).map(([id]) => id)

interface Act {
  /** Which records change, each to a key; undefined: the record goes. */
  readonly changes: readonly (readonly [id: number, key: number | undefined])[]
  readonly members: readonly (readonly [id: number, isMember: boolean])[]
  /** Whether the set follows before the order. */
  readonly setFirst: boolean
}

const ID = 3_000
const key = fc.integer({ min: 0, max: 12 })
const act: fc.Arbitrary<Act> = fc.record({
  changes: fc.oneof(
    fc.array(fc.tuple(fc.integer({ min: 1, max: ID }), fc.option(key, { nil: undefined })), { maxLength: 30 }),
    // Many with one key split a block, many that go empty one.
    fc
      .tuple(fc.integer({ min: 1, max: ID }), fc.integer({ min: 100, max: 900 }), fc.option(key, { nil: undefined }))
      .map(([from, count, to]) => Array.from({ length: count }, (_, i): [number, number | undefined] => [from + i, to])),
  ),
  members: fc.array(fc.tuple(fc.integer({ min: 1, max: ID }), fc.boolean()), { maxLength: 30 }),
  setFirst: fc.boolean(),
})

const precedes = (id: number, key: number, mark: Mark<number>): boolean => key < mark.key || (key === mark.key && id < mark.id)

const keysNow = (table: Table) => ({
  of: (id: number) => table.get(id)!,
  compare: (one: number, other: number) => one - other,
  isKnown: (id: number) => id % 4 === 0,
  countBetween: (from: Mark<number>, to: Mark<number>) =>
    Array.from(table).filter(([id, key]) => !precedes(id, key, from) && precedes(id, key, to)).length,
  changed: () => undefined,
  whenKnown: <T>(ask: () => T): T => ask(),
})

function everyPage(keysOf: typeof keysNow | typeof keysLater): void {
  fc.assert(
    fc.property(
      fc.nat(2_000),
      fc.array(act, { maxLength: 12 }),
      fc.nat(3_200),
      fc.nat(30),
      fc.boolean(),
      (count, acts, offset, limit, backwards) => {
        const table: Table = new Map(Array.from({ length: count }, (_, i) => [i + 1, (i * 7) % 13]))
        const keys = keysOf(table)
        const { whenKnown } = keys
        const order = new IdOrder(packedOrder(Uint32Array.from(sorted(table)))!, keys)
        const ids = Array.from(table.keys()).filter((id) => id % 3 === 0)
        const members = new Set(ids)
        const set = new IdSet(packed(Uint32Array.from(ids)))
        const counts = new OrderCounts(order, set)
        for (const { changes, members: changed, setFirst } of acts) {
          whenKnown(() => order.readFirsts())
          for (const [id, to] of changes)
            if (to === undefined) table.delete(id)
            else table.set(id, to)
          for (const [id, isMember] of changed)
            if (isMember) members.add(id)
            else members.delete(id)
          const follow = () => {
            for (const [id, isMember] of changed) if (set.assign(id, isMember)) counts.assigned(id, isMember)
          }
          if (setFirst) follow()
          const ids = new Set(changes.map(([id]) => id))
          keys.changed(ids)
          assert.ok(whenKnown(() => order.prepare(ids)))
          order.update(ids, (id) => table.has(id))
          if (!setFirst) follow()
        }
        const all = sorted(table)
        const matching = all.filter((id) => members.has(id))
        assert.equal(order.size, all.length)
        // First what leaves blocks as they are where it can, then what brings all of them into order.
        assert.deepEqual(
          whenKnown(() => order.page(offset, limit, set, counts)),
          matching.slice(offset, offset + limit),
        )
        assert.deepEqual(
          whenKnown(() => order.walk(undefined, backwards, limit, set, counts)),
          (backwards ? matching.toReversed() : matching).slice(0, limit),
        )
        const some = all[Math.floor(all.length / 3)]
        if (some !== undefined) {
          const mark = { key: table.get(some)!, id: some }
          const beside = backwards ? all.slice(0, all.indexOf(some)).reverse() : all.slice(all.indexOf(some) + 1)
          assert.deepEqual(
            whenKnown(() => order.walk(mark, backwards, limit, set, counts)),
            beside.filter((id) => members.has(id)).slice(0, limit),
          )
        }
        assert.deepEqual(
          whenKnown(() => order.page(0, 5_000)),
          all,
        )
        assert.deepEqual(
          whenKnown(() => order.page(offset, limit)),
          all.slice(offset, offset + limit),
        )
        assert.deepEqual(
          whenKnown(() => order.page(offset, limit, set)),
          matching.slice(offset, offset + limit),
        )
        assert.deepEqual(
          whenKnown(() => order.page(offset, limit, set, counts)),
          matching.slice(offset, offset + limit),
        )
        for (const [isRest, areMembers] of [
          [false, true],
          [false, false],
          [true, true],
          [true, false],
        ] as const) {
          const isInBase = (id: number) => members.has(id) !== isRest
          const differing = all.filter((id) => id % 5 === 0 && isInBase(id) !== areMembers)
          const ids = all.filter((id) => (id % 5 === 0 ? areMembers : isInBase(id)))
          const other = new IdSet(packed(Uint32Array.from(ids)))
          const like = new LikeCounts(order, counts, isRest, { differing, areMembers })
          assert.deepEqual(
            whenKnown(() => order.page(offset, limit, other, like)),
            ids.slice(offset, offset + limit),
          )
          const counted = new OrderCounts(order, other).ended()
          for (const block of order.blocks.all()) assert.equal(like.ofBlock(block), counted.ofBlock(block))
          for (const shelf of order.blocks.shelves) assert.equal(like.ofShelf(shelf), counted.ofShelf(shelf))
        }
        const at = all[offset % Math.max(1, all.length)]
        if (at === undefined) return
        const from = { key: table.get(at)!, id: at }
        const place = all.indexOf(at)
        assert.equal(
          whenKnown(() => order.rank(order.seek(from))),
          place,
        )
        const between: number[] = []
        const { first, rank } = whenKnown(() => order.blockAt(from))!
        assert.equal(all.filter((id) => table.get(id)! < first.key || (table.get(id) === first.key && id < first.id)).length, rank)
        whenKnown(() => {
          between.length = 0
          order.between(order.seek(first), order.seek(from), (id) => between.push(id))
        })
        assert.deepEqual(between, all.slice(rank, place))
        const present = new IdSet(packed(Uint32Array.from(matching)))
        for (const mark of [from, first, { key: from.key, id: Infinity }, { key: from.key, id: -1 }]) {
          const isBefore = (id: number) => precedes(id, table.get(id)!, mark)
          const here = whenKnown(() => order.seek(mark))
          assert.deepEqual(
            whenKnown(() => order.seek(mark, true)),
            here,
          )
          const isSide = order.sideOf(here)
          assert.deepEqual([...table.keys(), ID * 3].map(isSide), [...[...table.keys()].map(isBefore), undefined])
          assert.equal(order.rank(here, set, counts), matching.filter(isBefore).length)
          for (const isRest of [false, true])
            assert.deepEqual(
              whenKnown(() => order.membersBefore(present, here, isRest)).page(0, ID * 2),
              all.filter((id) => members.has(id) && isBefore(id) !== isRest).sort((one, other) => one - other),
            )
        }
        between.length = 0
        whenKnown(() => {
          between.length = 0
          order.between(undefined, order.seek({ key: from.key, id: Infinity }), (id) => between.push(id))
        })
        assert.deepEqual(
          between,
          all.filter((id) => table.get(id)! <= from.key),
        )
        assert.deepEqual(
          whenKnown(() => order.walk(from, false, limit)),
          all.slice(place + 1, place + 1 + limit),
        )
        assert.deepEqual(
          whenKnown(() => order.walk(from, true, limit)),
          all.slice(0, place).reverse().slice(0, limit),
        )
        const before = all.slice(0, place).filter((id) => members.has(id))
        assert.deepEqual(
          whenKnown(() => order.walk(from, true, limit, set)),
          before.reverse().slice(0, limit),
        )
        assert.deepEqual(
          whenKnown(() => order.walk(undefined, true, limit)),
          all.toReversed().slice(0, limit),
        )
      },
    ),
    { numRuns: 150 },
  )
}

describe('IdOrder', () => {
  for (const [how, keysOf] of [
    ['are read at once', keysNow],
    ['have to be waited for', keysLater],
  ] as const)
    it(`has every page of every set, whatever moves, comes and goes, where keys ${how}`, () => everyPage(keysOf))

  it('says where the members of a set are too far from the beginning, or from a place, to be looked for', () => {
    const all = Uint32Array.from({ length: 10_000 }, (_, i) => i + 1)
    const order = new IdOrder(packedOrder(all)!, { of: (id: number) => id, compare: (one, other) => one - other })
    const set = new IdSet(packed(all.subarray(5_000)))
    assert.equal(order.pageWithin(4_000, 0, 5, set), undefined)
    assert.deepEqual(order.pageWithin(6_000, 0, 5, set), [5_001, 5_002, 5_003, 5_004, 5_005])
    assert.equal(order.walkWithin(4_000, { key: 5_002, id: 5_002 }, true, 5, set), undefined)
    assert.deepEqual(order.walkWithin(6_000, { key: 5_002, id: 5_002 }, true, 5, set), [5_001])
    assert.deepEqual(order.walkWithin(300, { key: 5_002, id: 5_002 }, false, 2, set), [5_003, 5_004])
  })

  it('is not made of ids that are far apart, which would take a place for each id between them', () => {
    assert.equal(packedOrder(Uint32Array.of(1, 2, 90_000_000)), undefined)
    assert.ok(packedOrder(Uint32Array.of(1, 2, 900_000)))
  })

  it('begins without records', () => {
    const keys = new Map([
      [70_000, 1],
      [5, 2],
    ])
    const order = new IdOrder(packedOrder(new Uint32Array(0))!, { of: (id: number) => keys.get(id)!, compare: (one, other) => one - other })
    assert.deepEqual([order.page(0, 5), order.rank(order.seek({ key: 1, id: 1 })), order.blockAt({ key: 1, id: 1 })], [[], 0, undefined])
    order.update(new Set(keys.keys()), () => true)
    assert.deepEqual(order.page(0, 5), [70_000, 5])
    order.update(new Set(keys.keys()), () => false)
    assert.deepEqual([order.page(0, 5), order.size], [[], 0])
  })
})
