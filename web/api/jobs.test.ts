import assert from 'node:assert/strict'
import { beforeEach, it, mock } from 'node:test'
import { ApiError } from './client.ts'
import { batchOfJob, endJob, jobs } from './jobs.ts'
import { queries } from './queries.ts'

/* The jobs that the service has, each with its state and its batch. */
let held: Map<string, { state: string; batch_id: number | null }>
let undoneBy: number | null

mock.method(globalThis, 'fetch', (url: string | URL | Request, { method = 'GET' }: RequestInit = {}) => {
  const [kind, id] = new URL(String(url), 'http://localhost').pathname.split('/').slice(3)
  const one = held.get(id ?? '')
  if (kind === 'batch') return Promise.resolve(Response.json({ data: { type: kind, id, attributes: { undone_by: undoneBy } } }))
  if (id === undefined)
    return Promise.resolve(Response.json({ data: [...held].map(([key, attributes]) => ({ type: 'job', id: key, attributes })) }))
  if (!one) return Promise.resolve(Response.json({ errors: [{ code: 'job.not_found', detail: 'No.' }] }, { status: 404 }))
  if (method === 'DELETE') held.delete(id)
  return Promise.resolve(Response.json(method === 'DELETE' ? { meta: {} } : { data: { type: 'job', id, attributes: one } }))
})

beforeEach(() => {
  undoneBy = null
  held = new Map([
    ['1', { state: 'done', batch_id: 11 }],
    ['2', { state: 'running', batch_id: null }],
    ['3', { state: 'running', batch_id: null }],
  ])
})

it('what a job has done can be taken back after the job was taken out of the list', async () => {
  await queries.fetchQuery(jobs)
  await endJob('1')
  assert.equal(await batchOfJob('1'), 11)
  // It has ended while the list still showed that it runs.
  held.set('2', { state: 'done', batch_id: 12 })
  await endJob('2')
  assert.equal(await batchOfJob('2'), 12)
  undoneBy = 100
  assert.equal(await batchOfJob('2'), null)
})

it('a job that still runs has nothing yet to be taken back', async () => {
  await queries.fetchQuery(jobs)
  await assert.rejects(batchOfJob('3'), (error) => error instanceof ApiError && error.code === 'job.still_runs')
  held.set('3', { state: 'cancelled', batch_id: 13 })
  assert.equal(await batchOfJob('3'), 13)
})
