import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { changeAct, forgetSaved, outboxNow } from './outbox.ts'

/* A service that knows one relationship of the table, r8, and the records of one that writes. */
const asked: string[] = []
let held: Record<string, string> = { f1: 'a' }

mock.method(globalThis, 'fetch', (address: string | URL | Request, { method = 'GET', body }: RequestInit = {}) => {
  const { search } = new URL(String(address), 'http://localhost')
  asked.push(`${method} ${decodeURIComponent(search)}`.trim())
  const included = new URLSearchParams(search).get('include')?.split(',') ?? []
  const gone = included.find((one) => one !== 'r8')
  if (gone !== undefined) {
    const error = { status: '400', code: 'parameter.invalid', detail: `'${gone}' cannot be included.` }
    return Promise.resolve(Response.json({ errors: [error] }, { status: 400 }))
  }
  if (method === 'PATCH') held = { ...held, ...(JSON.parse(String(body)) as { data: { attributes: object } }).data.attributes }
  return Promise.resolve(Response.json({ data: { type: 'data7', id: '1', attributes: held } }, { headers: { ETag: '"1"' } }))
})

const CURSOR = 'changeCursor=true'

it('a cell is written also where a reference field that would come along with the answer is gone', async () => {
  await changeAct(7, '1', { f1: 'b' }, { f1: 'a' }, 'r8')
  assert.deepEqual(asked.splice(0), [`GET ?include=r8&recordAccess=true&${CURSOR}`, `PATCH ?include=r8&${CURSOR}`])
  await changeAct(7, '1', { f1: 'c' }, { f1: 'b' }, 'r8,r9')
  assert.deepEqual(
    outboxNow().writes.map(({ state }) => state.is),
    ['saved'],
  )
  assert.deepEqual(asked, [
    `GET ?include=r8,r9&recordAccess=true&${CURSOR}`,
    `GET ?recordAccess=true&${CURSOR}`,
    `PATCH ?include=r8,r9&${CURSOR}`,
    `PATCH ?${CURSOR}`,
  ])
  assert.equal(held['f1'], 'c')
  forgetSaved(7, '1')
})
