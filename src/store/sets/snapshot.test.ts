import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from '../../../test/support/fast-check.ts'
import { Snapshot } from './snapshot.ts'

/** What transactions see one after the other, of transactions that begin and end at random. */
const history = fc.array(fc.oneof(fc.constant('begin' as const), fc.nat(20)), { maxLength: 40 }).map((events) => {
  const running: number[] = []
  const snapshots: { text: string; ended: Set<number> }[] = []
  const ended = new Set<number>()
  let next = 1_000
  for (const event of events) {
    if (event === 'begin') running.push(next++)
    else if (running.length > 0) ended.add(running.splice(event % running.length, 1)[0]!)
    snapshots.push({ text: `${running[0] ?? next}:${next}:${running.join(',')}`, ended: new Set(ended) })
  }
  return { snapshots, next }
})

describe('Snapshot', () => {
  it('sees what had ended, and is at least what came before', () =>
    fc.assert(
      fc.property(history, ({ snapshots, next }) => {
        snapshots.forEach(({ text, ended }, i) => {
          const snapshot = new Snapshot(text)
          for (let xid = 1_000; xid <= next; xid++) assert.equal(snapshot.sees(xid), ended.has(xid))
          for (const [j, other] of snapshots.entries()) {
            const sees = [...other.ended].every((xid) => ended.has(xid))
            if (j <= i) assert.ok(snapshot.isAtLeast(new Snapshot(other.text)))
            if (!sees) assert.ok(!snapshot.isAtLeast(new Snapshot(other.text)))
          }
        })
      }),
    ))
})
