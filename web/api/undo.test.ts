import assert from 'node:assert/strict'
import { beforeEach, it, mock } from 'node:test'
import { tellBack, tellLost } from './connection.ts'
import { did, didByJob, didChange, didStructure, undoingJob, forgetActs, redo, tookBack, undo, undoOf } from './undo.ts'

/* The service, as far as an undo needs it: the batches that gave an attribute of a record its values, newest first. */
let batches: { id: number; to: string }[]
let undone: number[]
/** What becomes of the next undos: a status or a code that refuses, an answer that gets lost after it was done, or a part that is done. */
let fates: (number | string)[]
/** Called when the service has got an undo. */
let onUndo: () => void

beforeEach(() => {
  batches = []
  undone = []
  fates = []
  onUndo = () => undefined
  forgetActs()
})

mock.method(globalThis, 'fetch', (url: string | URL | Request) => {
  const { pathname } = new URL(String(url instanceof Request ? url.url : url), 'http://localhost')
  const [, batch, isUndo] = /batch\/(\d+)(\/undo)?/.exec(pathname) ?? []
  const fate = isUndo ? fates.shift() : undefined
  const isTwice = isUndo !== undefined && undone.includes(Number(batch))
  if (isUndo) onUndo()
  const isRefused = typeof fate === 'number' || fate?.includes('.') === true
  if (isRefused || isTwice) {
    const error = { code: isTwice ? 'batch.undone' : typeof fate === 'string' ? fate : 'some.code', detail: 'No.' }
    return Promise.resolve(Response.json({ errors: [error] }, { status: typeof fate === 'number' ? fate : 409 }))
  }
  const isPart = fate === 'part'
  if (isUndo && !isPart) undone.push(Number(batch))
  if (fate === 'lost') return Promise.reject(new TypeError('network'))
  const body = batch
    ? {
        data: { type: 'batch', id: batch, attributes: { undone_by: 1000 + Number(batch) } },
        meta: { done: !isPart, conflicts: 0, batch_id: 1000 + Number(batch) },
      }
    : {
        data: batches.map(({ id, to }) => ({
          type: 'change',
          id: String(id),
          attributes: { via: 'page', batch_id: id, changes: { f1: { to } } },
        })),
      }
  return Promise.resolve(new Response(JSON.stringify(body), { headers: { 'content-type': 'application/vnd.api+json' } }))
})

const moved = (id: number, to: string) => {
  batches.unshift({ id, to })
  return didChange(1, '7', 'f1', Promise.resolve(to))
}

it('an act is taken back by its own batch, also where a later one gave the same value', async () => {
  const first = moved(1, 'Done')
  moved(2, 'Open')
  moved(3, 'Done')
  await undoOf(first)
  assert.deepEqual(undone, [1])
  await undo()
  await undo()
  assert.deepEqual(undone, [1, 3, 2])
})

it('an act that could not be taken back keeps its place', async () => {
  const first = moved(11, 'A')
  moved(12, 'B')
  tellLost()
  await assert.rejects(undoOf(first))
  tellBack()
  await undo()
  assert.deepEqual(undone, [12])
})

it('an act stays the last one where the service has no time, and goes on where it has stopped', async () => {
  did(1, Promise.resolve([21]))
  did(1, Promise.resolve([22, 23]))
  fates = [503, 429, 'ok', 502]
  await assert.rejects(undo())
  await assert.rejects(undo())
  assert.deepEqual(undone, [])
  await assert.rejects(undo())
  assert.deepEqual(undone, [23])
  await undo()
  assert.deepEqual(undone, [23, 22])
  // All of it is done again.
  await redo()
  assert.deepEqual(undone.slice(2), [1022, 1023])
})

it('an act whose undo was done, though nobody heard of it, is taken back once and can be done again', async () => {
  did(1, Promise.resolve([31]))
  did(1, Promise.resolve([32]))
  fates = ['lost']
  await assert.rejects(undo())
  tellBack()
  assert.deepEqual(await undo(), { table: 1, conflicts: 0 })
  assert.deepEqual(undone, [32])
  await redo()
  assert.deepEqual(undone, [32, 1032])
})

it('an act that is refused is not in the way of those before it', async () => {
  did(1, Promise.resolve([41]))
  did(1, Promise.resolve([42]))
  fates = [403]
  await assert.rejects(undo())
  await undo()
  assert.deepEqual(undone, [41])
})

it('keys that are pressed while a job is taken back do nothing', async () => {
  did(1, Promise.resolve([51]))
  didByJob(1, '7', () => Promise.resolve(52))
  const begun: string[] = []
  const tell = () => void begun.push('begun')
  assert.deepEqual(await Promise.all([undo(tell), undo(tell), redo(tell)]), [{ table: 1, conflicts: 0 }, 'ignored', 'ignored'])
  assert.deepEqual([undone, begun], [[52], ['begun']])
  // What was pressed while it is seen to run says so once more.
  const again = redo(() => void undo(tell))
  assert.deepEqual(await again, { table: 1, conflicts: 0 })
  assert.deepEqual([undone, begun.splice(1)], [[52, 1052], ['begun']])
  await undo()
  undone = []
  await undo(tell)
  assert.deepEqual([undone, begun], [[51], ['begun']])
})

it('nothing of one person is there for the next', async () => {
  did(1, Promise.resolve([61]))
  forgetActs()
  assert.equal(await undo(), undefined)
})

for (const code of ['server.structure_changing', 'field.being_converted', 'batch.unfinished'])
  it(`what is refused for a moment (${code}) keeps its place`, async () => {
    did(2, Promise.resolve([1]))
    did(1, Promise.resolve([2]))
    fates = [code]
    await assert.rejects(undo())
    await undo()
    assert.deepEqual(undone, [2])
  })

it('what one person was taking back is nothing to the next: no act, and no request', async () => {
  did(1, Promise.resolve([5]))
  onUndo = forgetActs
  await undo()
  assert.equal(await redo(), undefined)
  did(1, Promise.resolve([6]))
  fates = [503]
  await assert.rejects(undo())
  assert.equal(await undo(), undefined)
  didByJob(1, '7', () => Promise.resolve(7))
  fates = ['part', 'part', 'part']
  await undo()
  assert.equal(fates.length, 2)
  onUndo = () => undefined
  did(1, Promise.resolve([8]))
  await undo()
  assert.deepEqual(undone, [5, 8])
})

it('what a button has taken back of a job is an act in the place of that of the job', async () => {
  moved(1, 'Done')
  didByJob(1, '7', () => Promise.resolve(2))
  moved(3, 'Open')
  await undoingJob(1, '7', Promise.resolve({ batch: 1002 }))
  await undo()
  assert.deepEqual(undone, [1002])
  await redo()
  assert.deepEqual(undone, [1002, 2002])
  for (let i = 0; i < 3; i++) await undo()
  assert.deepEqual(undone, [1002, 2002, 3002, 3, 1])
  const ofBefore = undoingJob(1, '7', Promise.resolve({ batch: 1002 }))
  forgetActs()
  await ofBefore
  assert.equal(await undo(), undefined)
})

it('what a button has taken back of a batch is an act in the place of that which made it', async () => {
  did(1, Promise.resolve([1]))
  did(1, Promise.resolve([2]))
  did(1, Promise.resolve([3]))
  // Its batch is not known yet.
  did(1, new Promise(() => undefined), () => true)
  await tookBack(1, 2, 1002, false)
  await undo()
  assert.deepEqual(undone, [1002])
  for (let i = 0; i < 3; i++) await undo()
  assert.deepEqual(undone, [1002, 3, 1])
  await tookBack(1, 3, null, false)
  assert.equal(await undo(), undefined)
  const ofBefore = tookBack(1, 3, 1003, false)
  forgetActs()
  await ofBefore
  assert.equal(await undo(), undefined)
})

it('a change of the structure that has not ended yet is the one that the key takes back; one that is refused, or that nothing takes back, is none', async () => {
  const back: string[] = []
  const way = (name: string) => () => {
    back.push(name)
    return Promise.resolve({ batches: [], conflicts: 0, again: () => Promise.resolve({ batches: [], conflicts: 0 }) })
  }
  didStructure('first', Promise.resolve(way('first')))
  let end!: () => void
  didStructure('second', new Promise((resolve) => (end = () => resolve(way('second')))))
  const undoing = undo()
  assert.deepEqual(back, [])
  end()
  assert.deepEqual(await undoing, { table: 0, conflicts: 0, name: 'second' })
  assert.deepEqual(back, ['second'])
  didStructure('third', Promise.reject(new Error('refused')))
  didStructure('fourth', Promise.resolve(undefined))
  await undo()
  assert.deepEqual(back, ['second', 'first'])
})
