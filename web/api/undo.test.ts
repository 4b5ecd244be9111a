import assert from 'node:assert/strict'
import { beforeEach, it, mock } from 'node:test'
import { tellBack, tellLost } from './connection.ts'
import { didChange, undo, undoOf } from './undo.ts'

/* The service, as far as an undo needs it: the batches that gave an attribute of a record its values, newest first. */
let batches: { id: number; to: string }[]
let undone: number[]

beforeEach(() => {
  batches = []
  undone = []
})

mock.method(globalThis, 'fetch', (url: string | URL | Request) => {
  const { pathname } = new URL(String(url instanceof Request ? url.url : url), 'http://localhost')
  const batch = /batch\/(\d+)\/undo/.exec(pathname)?.[1]
  if (batch !== undefined) undone.push(Number(batch))
  const body = batch
    ? { data: [], meta: { done: true, conflicts: 0, batch_id: 100 } }
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
