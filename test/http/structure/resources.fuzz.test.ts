import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { errorsOf, startService } from '../../support/service.ts'
import * as fc from '../../support/fast-check.ts'

/** What clients get wrong, and what breaks programs. */
const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    1,
    -1,
    2,
    3,
    99,
    1.5,
    1e21,
    2 ** 53,
    -(2 ** 53),
    '',
    '0',
    '1',
    'text',
    'list',
    'reference',
    'decimal',
    'autonumber',
    'file',
    'admin',
    'a\0b',
    '\ud800',
    "'; DROP TABLE users; --",
    'eq(status,0)',
    'x'.repeat(300),
    [],
    [1],
    ['a', 'a'],
    ['A', { label: 'B' }],
    [{ id: 1, label: 'C' }],
    {},
    { 1: 'hidden' },
    { __proto__: null, constructor: 1 },
    '2024-02-30',
    'someone@example.org',
    'long enough',
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

const attributes: Readonly<Record<string, readonly string[]>> = {
  table: ['table_name', 'category_id', 'category_sequence_number', 'full_name', 'title_field_id'],
  field: [
    'table_id',
    'int_name',
    'field_name',
    'field_type',
    'sequence_number',
    'required',
    'unique',
    'default_value',
    'hint',
    'section',
    'max_length',
    'scale',
    'min',
    'max',
    'options',
    'reference_table_id',
    'file_extensions',
    'max_files',
    'max_kilobytes',
  ],
  category: ['category_name', 'sequence_number'],
  filter: ['table_id', 'filter_name', 'expression', 'user_id'],
  group: ['group_name'],
  access: ['group_id', 'table_id', 'read', 'bed', 'read_filter', 'write_filter', 'fields'],
  user: ['fio', 'e_mail', 'login', 'group_id', 'arc'],
  invitation: ['user_id', 'lifetime'],
  token: ['name', 'lifetime', 'scope'],
}
const sound: Readonly<Record<string, object>> = {
  table: { table_name: 'T' },
  field: { table_id: 1, field_name: 'F', field_type: 'text' },
  category: { category_name: 'C' },
  filter: { table_id: 1, filter_name: 'F', expression: 'eq(status,0)' },
  group: { group_name: 'G' },
  access: { group_id: 2, table_id: 1 },
  user: { login: 'someone' },
  invitation: { user_id: 1 },
}

describe('any document for a resource of the service', () => {
  it('is taken or refused with what is wrong, and never a fault of the server', async () => {
    const server = await startService()
    await server.make('table', { table_name: 'Companies' })
    await server.make('field', { table_id: 1, field_name: 'Kind', field_type: 'list', options: ['A', 'B'] })
    await server.make('data1', { f1: 'A' })
    for (const type of ['category', 'filter', 'access']) await server.make(type, sound[type]!)

    const request = fc.constantFrom(...Object.keys(attributes)).chain((type) =>
      fc.record({
        type: fc.constant(type),
        method: fc.constantFrom('POST', 'PATCH'),
        sound: fc.boolean(),
        sent: fc.dictionary(
          fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...attributes[type]!) }, { weight: 1, arbitrary: fc.string() }),
          hostile,
          { maxKeys: 4 },
        ),
      }),
    )
    await fc.assert(
      fc.asyncProperty(request, async ({ type, method, sound: whole, sent }) => {
        if (type === 'user' && method === 'PATCH') return
        const data = {
          type,
          attributes: { ...(whole && method === 'POST' && sound[type]), ...sent },
          ...(method === 'PATCH' && { id: '1' }),
        }
        const answer = await server.call(method, method === 'POST' ? type : `${type}/1`, { data })
        assert.ok(answer.status < 500, JSON.stringify(answer.json))
        if (answer.status >= 400) for (const error of errorsOf(answer)) assert.match(error, /^4\d\d [a-z]+\.[a-z_]+( \/data|$)/)
        else if (answer.status === 200 || answer.status === 201) {
          const again = { data: { type, id: answer.json.data.id, attributes: answer.json.data.attributes } }
          const { token: _, code: __, ...kept } = again.data.attributes
          const echoed =
            method === 'PATCH' || type !== 'invitation'
              ? await server.call('PATCH', `${type}/${answer.json.data.id}`, { data: { ...again.data, attributes: kept } })
              : undefined
          if (echoed && echoed.status !== 405 && echoed.status !== 404) assert.deepEqual(echoed.json.data.attributes, kept)
        }
      }),
      { numRuns: 400 },
    )
    assert.equal((await server.get('table/1')).status, 200)
    await server.close()
  })
})
