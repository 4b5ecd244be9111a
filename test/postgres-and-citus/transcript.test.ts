import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fieldTypes } from '../../src/fields/index.ts'
import { startTwins, type Sending, type Service } from '../support/service.ts'

/* The same requests to a service on SQLite and to one on PostgreSQL: the answers are the same, byte by byte. */

type Request = readonly [method: string, path: string, body?: unknown, more?: Sending]

const document = (type: string, attributes: object, id?: string) => ({ data: { type, ...(id && { id }), attributes } })
const special: Readonly<Record<string, object>> = {
  list: { options: ['New', 'Won', 'Ёлка'] },
  multilist: { options: ['Card', 'Cash'] },
  reference: { reference_table_id: 1 },
  references: { reference_table_id: 1 },
  decimal: { scale: 3 },
}

/** A table with a field of every type; fields are numbered as they are made. */
const structure: Request[] = [
  ['POST', 'category', document('category', { category_name: 'Sales' })],
  ['POST', 'table', document('table', { table_name: 'Companies', category_id: 1 })],
  ...fieldTypes.map(({ name }): Request => [
    'POST',
    'field',
    document('field', {
      table_id: 1,
      field_name: `The ${name}`,
      field_type: name,
      ...special[name],
      ...(name === 'email' && { unique: true }),
    }),
  ]),
  ['GET', 'table/1?include=fields'],
  ['GET', 'field?sort=-field_name&page[limit]=7'],
  ['GET', "field?filter=and(eq(table_id,1),or(starts_with(field_type,'re'),gt(sequence_number,15)))"],
]

/** Every example of every type in a record, and what the filters and orders make of them. */
const records: Request[] = [
  ...Array.from({ length: 12 }, (_, i): Request => {
    const values = fieldTypes.flatMap(({ name, examples, files, target, assigned }, place) =>
      files || target || assigned || (name === 'email' && i > 2) ? [] : [[`f${place + 1}`, examples[i % examples.length]![0]]],
    )
    return ['POST', 'data1', document('data1', Object.fromEntries(values))]
  }),
  ['POST', 'data1', document('data1', { f15: [{ file_name: 'a.txt', content: 'Hello' }], f10: '1', f11: ['2', '3'] })],
  ['POST', 'data1', document('data1', { f3: 'x', f6: '2024-02-30', f10: '999', nope: 1 })],
  ['POST', 'data1', document('data1', { f3: 'x', f6: '2024-02-30', f10: '999' })],
  ['POST', 'data1', document('data1', { f1: 'once' }), { headers: { 'Idempotency-Key': 'k' } }],
  ['POST', 'data1', document('data1', { f1: 'once' }), { headers: { 'Idempotency-Key': 'k' } }],
  ['POST', 'data1', document('data1', { f1: 'twice' }), { headers: { 'Idempotency-Key': 'k' } }],
  ['PATCH', 'data1/3', document('data1', { f1: 'changed', f3: 7, status: '1' }, '3')],
  ['PATCH', 'data1/3', document('data1', { f1: 'stale' }, '3'), { headers: { 'If-Match': '"1-x"' } }],
  ['PATCH', 'data1/4', document('data1', { f17: 'anna@EXAMPLE.com' }, '4')],
  ['DELETE', 'data1/5'],
  ['GET', 'data1/5'],
  ['DELETE', 'data1/5'],
  ['GET', 'data1/3'],
  ['GET', 'data1'],
  ['GET', 'data1?page[offset]=3&page[limit]=4'],
  ['GET', 'data1?page[offset]=500'],
  ['GET', 'file/data1/f15/13/a.txt'],
  ...fieldTypes.flatMap((_, place): Request[] => [
    ['GET', `data1?sort=-f${place + 1}&page[limit]=5&page[offset]=4`],
    ['GET', `data1?filter=or(is_empty(f${place + 1}),contains(f${place + 1},'1'))&fields[data1]=f${place + 1},add_time`],
    ['GET', `data1?filter=lt(f${place + 1},'a')`],
  ]),
]

const rest: Request[] = [
  ['POST', 'filter', document('filter', { table_id: 1, filter_name: 'Won', expression: "in(f8,'New','won')" })],
  ['GET', 'data1?filter=use_filter(1)&sort=f8,-f4'],
  ['GET', 'data1?filter=eq(f1,^)'],
  ['GET', 'data1?filter[f3]=<50'],
  ['POST', 'user', document('user', { login: 'mira', fio: 'Мира', password: 'long enough', group_id: 3 })],
  ['POST', 'user', document('user', { login: 'MIRA', fio: 'Other', e_mail: 'nobody' })],
  ['GET', "user?filter=contains(fio,'МИ')"],
  ['POST', 'access', document('access', { group_id: 3, table_id: 1, read: true, read_filter: 'eq(user_id,current_user)' })],
  ['POST', 'access', document('access', { group_id: 3, table_id: 1, read: true })],
  ['PATCH', 'field/3', document('field', { field_type: 'decimal' }, '3')],
  ['PATCH', 'field/1', document('field', { field_type: 'integer' }, '1')],
  ['PATCH', 'field/1?convertMode=lossy', document('field', { field_type: 'integer' }, '1')],
  ['PATCH', 'field/8', document('field', { options: [{ id: 1, label: 'Lost' }, 'Ёж'] }, '8')],
  ['GET', 'data1?sort=f8'],
  ['DELETE', 'field/2'],
  ['GET', 'trash'],
  ['POST', 'trash/1/restore', { data: null }],
  ['GET', 'data1/5'],
  ['GET', 'audit?page[limit]=50'],
  ['GET', 'token'],
  ['GET', ''],
  ['DELETE', 'table/1'],
  ['GET', 'table'],
]

it('answers are the same on both stores, byte by byte', async () => {
  const { twins, close } = await startTwins()
  try {
    const seen = new Map<number, number>()
    for (const [method, path, body, more] of [...structure, ...records, ...rest]) {
      const [one, other] = await Promise.all(twins.map((twin) => whole(twin, method, path, body, more)))
      assert.deepEqual(other, one, `${method} ${path}`)
      seen.set(one!.status, (seen.get(one!.status) ?? 0) + 1)
    }
    for (const status of [200, 201, 400, 404, 409, 412, 422]) assert.ok(seen.get(status)! > 0, `${status} of ${JSON.stringify([...seen])}`)
  } finally {
    await close()
  }
})

async function whole(twin: Service, method: string, path: string, body: unknown, more: Sending = {}) {
  const { status, headers, text } = await twin.send(method, `/api/dev/${path}`, { ...(body !== undefined && { body }), ...more })
  return { status, text, headers: [...headers].filter(([name]) => name !== 'date') }
}
