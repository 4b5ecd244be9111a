import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { name, sql } from '../../../src/sql/sql.ts'
import { RIGHTS } from '../../support/scene.ts'
import { errorsOf, startService, type Service } from '../../support/service.ts'

const at = (name: string) => `/data/attributes/${name}`

describe('the service’s own resources', () => {
  let server: Service
  let tableId: string
  let nameField: string
  let manager: string
  let client: string
  before(async () => {
    server = await startService()
    tableId = await server.make('table', { table_name: 'Companies', full_name: 'Companies we know' })
    nameField = await server.make('field', { table_id: Number(tableId), field_name: 'Name', field_type: 'text' })
    await server.make('user', { fio: 'Mara', login: 'mara', password: 'mara mara', group_id: 2 })
    await server.make('user', { fio: 'Clem', login: 'clem', password: 'clem clem', group_id: 3 })
    manager = await server.signIn('mara', 'mara mara')
    client = await server.signIn('clem', 'clem clem')
  })
  after(() => server.close())

  describe('a table', () => {
    it('is shown as the contract has it, with the caller’s rights', async () => {
      const { status, json, headers } = await server.get(`table/${tableId}`)
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'application/vnd.api+json')
      assert.deepEqual(json, {
        data: {
          type: 'table',
          id: tableId,
          attributes: {
            table_name: 'Companies',
            category_id: 0,
            category_sequence_number: 1,
            full_name: 'Companies we know',
            title_field_id: Number(nameField),
          },
          links: { self: `/api/dev/table/${tableId}` },
          meta: { access: Object.fromEntries(RIGHTS.map((right) => [right, true])) },
        },
        jsonapi: { version: '1.1' },
      })
    })

    it('that the caller has no right on does not exist for them', async () => {
      const hidden = await server.get(`table/${tableId}`, manager)
      const missing = await server.get('table/999', manager)
      assert.deepEqual(errorsOf(hidden), ['404 table.not_found'])
      assert.deepEqual(errorsOf(missing), ['404 table.not_found'])
      assert.equal((await server.get('table', manager)).json.meta.total, 0)
    })

    it('shows the rights of a group', async () => {
      const rule = await server.make('access', { group_id: 2, table_id: Number(tableId), read: true, standart_template: true, bed: true })
      const { json } = await server.get(`table/${tableId}`, manager)
      assert.deepEqual(Object.keys(json.data.meta.access), RIGHTS)
      assert.deepEqual(
        RIGHTS.filter((right) => json.data.meta.access[right]),
        ['read', 'bed', 'standart_template'],
      )
      assert.equal((await server.remove(`access/${rule}`)).status, 200)
      assert.equal((await server.get(`table/${tableId}`, manager)).status, 404)
    })

    it('includes its fields when asked', async () => {
      const { json } = await server.get(`table/${tableId}?include=fields`)
      assert.deepEqual(json.data.relationships, { fields: { data: [{ type: 'field', id: nameField }] } })
      assert.deepEqual(json.included[0].attributes, {
        table_id: Number(tableId),
        int_name: `f${nameField}`,
        field_name: 'Name',
        field_type: 'text',
        sequence_number: 1,
        required: false,
        unique: false,
        default_value: '',
        hint: '',
        section: '',
        max_length: null,
        scale: null,
        min: '',
        max: '',
        options: [],
        reference_table_id: null,
        file_extensions: [],
        max_files: null,
        max_kilobytes: null,
      })
      assert.deepEqual(errorsOf(await server.get(`table/${tableId}?include=records`)), ['400 parameter.invalid include'])
    })

    it('is made, changed and deleted by administrators alone', async () => {
      assert.deepEqual(errorsOf(await server.add('table', { table_name: 'X' }, manager)), ['403 access.denied'])
      assert.deepEqual(errorsOf(await server.add('table', {})), [`422 field.required ${at('table_name')}`])
      const made = await server.add('table', { table_name: 'Deals' })
      assert.equal(made.status, 201)
      const { id, links } = made.json.data
      assert.equal(made.headers.get('location'), links.self)
      const changed = await server.change('table', id, { ...made.json.data.attributes, full_name: 'All deals' })
      assert.equal(changed.json.data.attributes.full_name, 'All deals')
      assert.equal((await server.remove(`table/${id}`)).status, 200)
      assert.equal((await server.remove(`table/${id}`)).status, 404)
      assert.equal((await server.get(`data${id}`)).status, 404)
    })

    it('refuses a category and a title field that are none', async () => {
      assert.deepEqual(errorsOf(await server.change('table', tableId, { category_id: 99, title_field_id: 99 })), [
        `422 field.invalid_value ${at('category_id')}`,
        `422 field.invalid_value ${at('title_field_id')}`,
      ])
    })
  })

  describe('a field', () => {
    const field = (more: object) => server.add('field', { table_id: Number(tableId), field_name: 'F', field_type: 'text', ...more })

    it('takes options as labels or objects and returns objects', async () => {
      const { json } = await field({ field_type: 'list', options: ['New', { label: 'Won' }] })
      const { id, attributes } = json.data
      assert.deepEqual(
        attributes.options.map(({ label }: { label: string }) => label),
        ['New', 'Won'],
      )
      const [first, second] = attributes.options
      const renamed = await server.change('field', id, { options: [{ ...second, label: 'Gained' }, first.label] })
      assert.deepEqual(renamed.json.data.attributes.options, [{ id: second.id, label: 'Gained' }, first])
    })

    it('takes back all it was shown as', async () => {
      const { json } = await server.get(`field/${nameField}`)
      const again = await server.change('field', nameField, json.data.attributes)
      assert.deepEqual([again.status, again.json], [200, json])
    })

    it('tells what is wrong by the names of the wire, all at once', async () => {
      assert.deepEqual(errorsOf(await server.add('field', { nonsense: 1, int_name: 'f9', field_type: 7, scale: '2' })), [
        `400 attribute.unknown ${at('nonsense')}`,
        `400 attribute.read_only ${at('int_name')}`,
        `422 field.invalid_value ${at('field_type')}`,
        `422 field.invalid_value ${at('scale')}`,
        `422 field.required ${at('table_id')}`,
        `422 field.required ${at('field_name')}`,
      ])
      assert.deepEqual(errorsOf(await field({ field_type: 'decimal', scale: 10, max_length: 3, reference_table_id: 4 })).toSorted(), [
        `422 field.invalid_value ${at('max_length')}`,
        `422 field.invalid_value ${at('reference_table_id')}`,
        `422 field.invalid_value ${at('scale')}`,
      ])
      assert.deepEqual(errorsOf(await field({ field_type: 'formula' })), [`422 field.invalid_value ${at('field_type')}`])
      assert.deepEqual(errorsOf(await field({ field_type: 'list', options: ['A', 'a'] })), [`422 field.invalid_value ${at('options/1')}`])
      assert.deepEqual(errorsOf(await field({ field_type: 'reference', reference_table_id: 99 })), [
        `422 field.invalid_value ${at('reference_table_id')}`,
      ])
      assert.deepEqual(errorsOf(await field({ table_id: 99 })), [`422 field.invalid_value ${at('table_id')}`])
      assert.deepEqual(errorsOf(await field({ default_value: 'x'.repeat(300) })), [`422 field.invalid_value ${at('default_value')}`])
      assert.deepEqual(errorsOf(await server.change('field', nameField, { table_id: 5 })), [`400 attribute.read_only ${at('table_id')}`])
    })

    it('has a hint and a default of a limited length; a longer one of before may stay', async () => {
      for (const [text, most] of [
        ['hint', 1_000],
        ['default_value', 8_192],
      ] as const) {
        const long = 'ё'.repeat(most)
        const { status, json } = await field({ field_type: 'longtext', [text]: long })
        assert.equal(status, 201)
        const { id } = json.data
        const change = (value: string) => server.change('field', id, { field_name: 'G', [text]: value })
        assert.deepEqual(errorsOf(await field({ field_type: 'longtext', [text]: `${long}x` })), [`422 field.invalid_value ${at(text)}`])
        assert.deepEqual(errorsOf(await change(`${long}x`)), [`422 field.invalid_value ${at(text)}`])
        await server.store.db.write((tx) => tx.run(sql`UPDATE fields SET ${name(text)} = ${`${long}xx`} WHERE id = ${Number(id)}`))
        assert.equal((await change(`${long}xx`)).status, 200)
        assert.deepEqual(errorsOf(await change(`${long}x`)), [`422 field.invalid_value ${at(text)}`])
        assert.equal((await change('short')).status, 200)
        assert.equal((await server.remove(`field/${id}`)).status, 200)
      }
    })

    it('is converted to another type, with loss only when told to', async () => {
      const { json } = await field({ unique: true })
      const { id } = json.data
      for (const value of ['1.5', 'many']) await server.make(`data${tableId}`, { [`f${id}`]: value })
      const refused = await server.change('field', id, { field_type: 'decimal' })
      assert.deepEqual(errorsOf(refused), [`409 field.would_lose_data ${at('field_type')}`])
      assert.deepEqual(refused.json.errors[0].meta, { count: 1, examples: [{ record_id: '2', value: 'many' }] })
      assert.deepEqual(errorsOf(await server.change('field', id, { field_type: 'decimal' }, undefined, '?convertMode=quick')), [
        '400 parameter.invalid convertMode',
      ])
      const converted = await server.change('field', id, { field_type: 'decimal' }, undefined, '?convertMode=lossy')
      assert.equal(converted.status, 200)
      const { json: records } = await server.get(`data${tableId}?fields[data${tableId}]=f${id}`)
      assert.deepEqual(
        records.data.map((record: { attributes: object }) => record.attributes),
        [{ [`f${id}`]: '1.50' }, { [`f${id}`]: '0.00' }],
      )
    })

    it('is not made unique over doubles', async () => {
      const { json } = await field({})
      const { id } = json.data
      for (const value of ['Ёлка', 'елка']) await server.make(`data${tableId}`, { [`f${id}`]: value })
      const refused = await server.change('field', id, { unique: true })
      assert.deepEqual(errorsOf(refused), ['409 field.has_duplicates'])
      assert.deepEqual(refused.json.errors[0].meta, { count: 1, examples: ['Ёлка'] })
    })

    it('goes to the trash and comes back', async () => {
      const { json } = await field({ field_name: 'Gone' })
      const { id } = json.data
      const record = await server.make(`data${tableId}`, { [`f${id}`]: 'kept' })
      assert.equal((await server.remove(`field/${id}`)).status, 200)
      assert.equal((await server.get(`field/${id}`)).status, 404)
      assert.equal((await server.get(`data${tableId}/${record}`)).json.data.attributes[`f${id}`], undefined)
      const { json: list } = await server.get("trash?filter=and(eq(kind,'field'),eq(title,'gone'))")
      const [entry] = list.data
      assert.deepEqual(
        { ...entry.attributes, deleted: '' },
        { kind: 'field', table_id: Number(tableId), item_id: Number(id), title: 'Gone', deleted: '', user_id: 1 },
      )
      const restored = await server.call('POST', `trash/${entry.id}/restore`)
      assert.deepEqual(restored.json.meta, { kind: 'field', table_id: tableId, item_id: id })
      assert.equal((await server.get(`data${tableId}/${record}`)).json.data.attributes[`f${id}`], 'kept')
      assert.deepEqual(errorsOf(await server.call('POST', `trash/${entry.id}/restore`)), ['404 trash.not_found'])
    })

    it('is changed also while the table it refers to is in the trash', async () => {
      const other = await server.make('table', { table_name: 'Soon gone' })
      const here = await server.make('table', { table_name: 'Referring' })
      const wish = { table_id: Number(here), field_name: 'Other', field_type: 'reference', reference_table_id: Number(other) }
      const id = await server.make('field', wish)
      assert.equal((await server.remove(`table/${other}`)).status, 200)
      assert.equal((await server.change('field', id, { field_name: 'Renamed' })).status, 200)
      assert.deepEqual(errorsOf(await server.add('field', wish)), ['422 field.invalid_value /data/attributes/reference_table_id'])
    })

    it('is erased for good by administrators alone', async () => {
      const { json } = await field({ field_name: 'Secret' })
      await server.remove(`field/${json.data.id}`)
      const { json: list } = await server.get("trash?filter=eq(title,'secret')")
      const { id } = list.data[0]
      assert.equal((await server.remove(`trash/${id}`, manager)).status, 404)
      assert.equal((await server.remove(`trash/${id}`)).status, 200)
      assert.equal((await server.remove(`trash/${id}`)).status, 404)
    })
  })

  describe('a list of them', () => {
    it('is filtered, sorted and paged as records are', async () => {
      for (const name of ['Ёж', 'еж', 'Ель']) await server.make('category', { category_name: name, sequence_number: 5 })
      const { json } = await server.get("category?filter=eq(category_name,'ёж')&sort=-id&page[limit]=1")
      assert.deepEqual(json.meta, { offset: 0, limit: '1', total: 2 })
      assert.equal(json.data[0].attributes.category_name, 'еж')
      assert.equal(
        json.links.next,
        `${server.url}/api/dev/category?filter=eq%28category_name%2C%27%D1%91%D0%B6%27%29&page%5Blimit%5D=1&page%5Boffset%5D=1&sort=-id`,
      )
      assert.equal((await server.get('category?filter[sequence_number]=<6&filter[category_name]=ель')).json.meta.total, 1)
      assert.deepEqual((await server.get('category?fields[category]=sequence_number')).json.data[0].attributes, { sequence_number: 5 })
    })
    for (const [query, error] of [
      ['filter=eq(title,1)', '400 filter.unknown_attribute filter'],
      ['filter=use_filter(1)', '400 filter.unknown_saved_filter filter'],
      ['sort=title', '400 sort.unknown_attribute sort'],
      ['page[limit]=0', '400 parameter.invalid page[limit]'],
      ['fields[user]=password', '400 attribute.unknown fields[user]'],
      ['fields[table]=table_name', '400 parameter.unknown fields[table]'],
      ['frobnicate=1', '400 parameter.unknown frobnicate'],
      ["filter=eq(group_id,'x')", '400 filter.invalid_value filter'],
      ["filter=eq(password,'x')", '400 filter.unknown_attribute filter'],
      ["filter=eq(password_hash,'x')", '400 filter.unknown_attribute filter'],
    ] as const) {
      it(`refuses user?${query}`, async () => assert.deepEqual(errorsOf(await server.get(`user?${query}`)), [error]))
    }
    for (const type of ['table', 'field', 'category', 'filter', 'group', 'access', 'user', 'token', 'invitation', 'trash', 'audit']) {
      it(`of type ${type} is there for administrators, with every function on every attribute it shows`, async () => {
        const { status, json } = await server.get(`${type}?page[limit]=3&sort=id`)
        assert.equal(status, 200)
        const offset = Math.max(0, json.meta.total - 1)
        assert.equal((await server.get(`${type}?page[offset]=${offset}`)).status, 200)
        for (const [name, value] of Object.entries(json.data[0]?.attributes ?? {})) {
          if (typeof value === 'object') continue
          const literal = `'${String(typeof value === 'boolean' ? Number(value) : value).replaceAll("'", "''")}'`
          for (const filter of [`eq(${name},${literal})`, `between(${name},${literal},${literal})`, `not(ne(${name},${literal}))`]) {
            const { status: found, json: list } = await server.get(`${type}?filter=${encodeURIComponent(filter)}&sort=-${name}`)
            assert.equal(found, 200, `${filter} ${JSON.stringify(list)}`)
            assert.ok(list.data.length > 0, filter)
          }
        }
      })
    }
  })

  describe('users', () => {
    it('are listed in full to administrators and managers, to others only themselves', async () => {
      assert.equal((await server.get('user')).json.meta.total, 3)
      assert.equal((await server.get('user?filter=eq(group_id,2)', manager)).json.meta.total, 1)
      const { json } = await server.get('user', client)
      assert.deepEqual(
        json.data.map((user: { attributes: object }) => user.attributes),
        [{ fio: 'Clem', e_mail: '', login: 'clem', group_id: 3, arc: 0 }],
      )
      assert.equal((await server.get('user/1', client)).status, 404)
      assert.equal((await server.get('user/1', manager)).status, 200)
    })

    it('are made, moved and archived by administrators alone', async () => {
      assert.deepEqual(errorsOf(await server.add('user', { login: 'x' }, manager)), ['403 access.denied'])
      assert.deepEqual(errorsOf(await server.add('user', {})), [`422 field.required ${at('login')}`])
      assert.deepEqual(errorsOf(await server.add('user', { login: 'MARA' })), [`409 user.login_taken ${at('login')}`])
      assert.deepEqual(errorsOf(await server.add('user', { login: 'new', e_mail: 'nonsense', group_id: 99 })), [
        `422 field.invalid_value ${at('e_mail')}`,
        `422 field.invalid_value ${at('group_id')}`,
      ])
      assert.deepEqual(errorsOf(await server.add('user', { login: 'new', password: 'short' })), [
        `422 field.invalid_value ${at('password')}`,
      ])
      assert.deepEqual(errorsOf(await server.add('user', { login: 'new', arc: true, group_id: '3' })), [
        `422 field.invalid_value ${at('arc')}`,
        `422 field.invalid_value ${at('group_id')}`,
      ])
      for (const change of [{ group_id: 1 }, { login: 'boss' }, { arc: 1 }]) {
        assert.equal((await server.change('user', '2', change, manager)).status, 403, JSON.stringify(change))
      }
      assert.deepEqual(errorsOf(await server.change('user', '3', { fio: 'X' }, manager)), ['403 access.denied'])
      assert.deepEqual(errorsOf(await server.change('user', '2', { fio: 'X' }, client)), ['404 resource.not_found'])
      assert.deepEqual(errorsOf(await server.remove('user/1')), ['409 user.last_administrator'])
    })

    it('change their own name, address and password', async () => {
      const { json } = await server.change('user', '3', { fio: 'Clementine', e_mail: 'clem@example.org' }, client)
      assert.deepEqual(json.data.attributes, { fio: 'Clementine', e_mail: 'clem@example.org', login: 'clem', group_id: 3, arc: 0 })
      assert.deepEqual(errorsOf(await server.change('user', '3', { password: 'new password' }, client)), [
        `422 user.wrong_password ${at('old_password')}`,
      ])
      assert.equal((await server.change('user', '3', { password: 'new password', old_password: 'clem clem' }, client)).status, 200)
      assert.equal((await server.get('user/3', client)).status, 200)
      assert.equal((await server.add('token', { login: 'clem', password: 'clem clem' }, null)).status, 401)
      client = await server.signIn('clem', 'new password')
    })

    it('may do nothing from the request after they are archived', async () => {
      const id = await server.make('user', { login: 'dora', password: 'dora dora' })
      const dora = await server.signIn('dora', 'dora dora')
      assert.equal((await server.get(`user/${id}`, dora)).status, 200)
      assert.equal((await server.remove(`user/${id}`)).status, 200)
      assert.equal((await server.get(`user/${id}`, dora)).status, 401)
      assert.equal((await server.add('token', { login: 'dora', password: 'dora dora' }, null)).status, 401)
      assert.equal((await server.get(`user/${id}`)).json.data.attributes.arc, 1)
    })
  })

  describe('groups', () => {
    it('that are built in stay, and so do those with users', async () => {
      assert.deepEqual(
        (await server.get('group')).json.data.map((group: { attributes: { group_name: string } }) => group.attributes.group_name),
        ['Administrators', 'Managers', 'Clients'],
      )
      assert.deepEqual(errorsOf(await server.remove('group/3')), ['409 group.built_in'])
      const id = await server.make('group', { group_name: 'Guests' })
      const user = await server.make('user', { login: 'guest', group_id: Number(id) })
      assert.deepEqual(errorsOf(await server.remove(`group/${id}`)), ['409 group.in_use'])
      await server.change('user', user, { group_id: 3 })
      assert.equal((await server.remove(`group/${id}`)).status, 200)
      assert.equal((await server.get(`group/${id}`)).status, 404)
    })
  })

  describe('access rules', () => {
    const rule = (more: object) => server.add('access', { group_id: 3, table_id: Number(tableId), ...more })
    it('are one for each group and table, and none for administrators', async () => {
      const id = (await rule({ read: true, read_filter: 'eq(user_id,current_user)', fields: { [nameField]: 'read_only' } })).json.data.id
      const again = await rule({})
      assert.deepEqual(errorsOf(again), ['409 access.exists'])
      assert.deepEqual(again.json.errors[0].meta, { access_id: id })
      assert.deepEqual(errorsOf(await rule({ group_id: 1 })), [`422 field.invalid_value ${at('group_id')}`])
      const { json } = await server.get(`access/${id}`)
      assert.deepEqual((await server.change('access', id, json.data.attributes)).json, json)
      assert.equal((await server.remove(`access/${id}`)).status, 200)
    })
    it('tell what is wrong with their filters and fields', async () => {
      const [error] = (await rule({ read_filter: 'eq(f999,1)' })).json.errors
      assert.deepEqual([error.status, error.source.pointer, error.meta.code], ['422', at('read_filter'), 'filter.unknown_attribute'])
      assert.deepEqual(errorsOf(await rule({ write_filter: 'use_filter(1)' })), [`422 field.invalid_value ${at('write_filter')}`])
      assert.deepEqual(errorsOf(await rule({ fields: { 999: 'hidden' } })), [`422 field.invalid_value ${at('fields')}/999`])
      assert.deepEqual(errorsOf(await rule({ fields: { [nameField]: 'invisible' } })), [
        `422 field.invalid_value ${at('fields')}/${nameField}`,
      ])
      assert.deepEqual(errorsOf(await rule({ fields: ['hidden'] })), [`422 field.invalid_value ${at('fields')}`])
    })
    it('are nobody’s business but the administrators’', async () => {
      assert.equal((await server.get('access', manager)).json.meta.total, 0)
      assert.deepEqual(errorsOf(await server.add('access', { group_id: 3, table_id: 1 }, manager)), ['403 access.denied'])
    })
    it('hide fields, and what is hidden does not exist', async () => {
      const id = (await rule({ read: true, fields: { [nameField]: 'hidden' } })).json.data.id
      assert.equal((await server.get(`field/${nameField}`, client)).status, 404)
      assert.ok(
        (await server.get(`table/${tableId}?include=fields`, client)).json.included.every(
          (field: { id: string }) => field.id !== nameField,
        ),
      )
      await server.remove(`access/${id}`)
    })
  })

  describe('saved filters', () => {
    const save = (expression: string, more: object = {}, token?: string) =>
      server.add('filter', { table_id: Number(tableId), filter_name: 'F', expression, ...more }, token)
    it('are shared when an administrator makes them, and used by id', async () => {
      const id = (await save(`eq(f${nameField},'anna')`)).json.data.id
      assert.equal((await server.get(`filter/${id}`)).json.data.attributes.user_id, 0)
      await server.make(`data${tableId}`, { [`f${nameField}`]: 'Anna' })
      assert.equal((await server.get(`data${tableId}?filter=use_filter(${id})`)).json.meta.total, 1)
    })
    it('are personal when anybody else makes them, and nobody else’s', async () => {
      const rule = await server.make('access', { group_id: 3, table_id: Number(tableId), read: true, fields: { [nameField]: 'hidden' } })
      assert.deepEqual(errorsOf(await save(`eq(f${nameField},'x')`, {}, client)), [`422 field.invalid_value ${at('expression')}`])
      const made = await save('eq(status,0)', {}, client)
      assert.equal(made.json.data.attributes.user_id, 3)
      assert.deepEqual(errorsOf(await save('eq(status,0)', { user_id: 0 }, client)), [`403 access.denied ${at('user_id')}`])
      assert.equal((await server.get(`filter/${made.json.data.id}`, manager)).status, 404)
      await server.remove(`access/${rule}`)
      assert.equal((await server.get(`filter/${made.json.data.id}`, client)).status, 404)
      assert.deepEqual(errorsOf(await save('eq(status,0)', {}, client)), [`422 field.invalid_value ${at('table_id')}`])
    })
    it('are refused when they are none', async () => {
      for (const expression of ['eq(f999,1)', 'eq(status', 'use_filter(1)', 'eq(user_id,me)', "eq(add_time,'yesterday')"]) {
        assert.deepEqual(errorsOf(await save(expression)), [`422 field.invalid_value ${at('expression')}`], expression)
      }
      assert.deepEqual(errorsOf(await save('')), [`422 field.required ${at('expression')}`])
    })
  })

  describe('tokens', () => {
    it('are had for login and password, without a token', async () => {
      const { status, json, headers } = await server.add(
        'token',
        { login: 'mara', password: 'mara mara', name: 'phone', lifetime: 60, scope: 'read' },
        null,
      )
      assert.equal(status, 201)
      assert.equal(headers.get('location'), json.data.links.self)
      const { token, ...shown } = json.data.attributes
      assert.match(token, /^[A-Za-z0-9]{48}$/)
      assert.deepEqual(shown, {
        name: 'phone',
        user_id: 2,
        scope: 'read',
        tables: null,
        created: '2024-05-01 09:30:15',
        expires_at: '2024-05-01 09:31:15',
        last_used: '0000-00-00 00:00:00',
        session: false,
      })
      const { json: own } = await server.get(`token/${json.data.id}`, token)
      assert.deepEqual(Object.keys(own.data.attributes), [
        'name',
        'user_id',
        'scope',
        'tables',
        'created',
        'expires_at',
        'last_used',
        'session',
      ])
      assert.deepEqual(
        (await server.get('token')).json.data.filter(({ id }: { id: string }) => id === json.data.id),
        [],
      )
      assert.equal(
        (await server.change('token', json.data.id, { lifetime: 120 }, token)).json.data.attributes.expires_at,
        '2024-05-01 09:32:15',
      )
      assert.deepEqual(errorsOf(await server.change('token', json.data.id, { scope: 'write' }, token)), [
        `400 attribute.read_only ${at('scope')}`,
      ])
      assert.equal((await server.remove(`token/${json.data.id}`, token)).status, 200)
      assert.equal((await server.get('token', token)).status, 401)
    })
    it('are refused with one sentence whatever was wrong', async () => {
      for (const wrong of [
        { login: 'mara', password: 'x' },
        { login: 'nobody', password: 'x' },
      ]) {
        const { status, json, headers } = await server.add('token', wrong, null)
        assert.equal(status, 401)
        assert.match(headers.get('www-authenticate')!, /^Bearer/)
        assert.equal(json.errors[0].detail, 'Login or password is wrong.')
      }
    })
    it('are refused for bad wishes, by the names of the wire', async () => {
      const wish = (more: object) => server.add('token', { login: 'mara', password: 'mara mara', ...more }, null)
      assert.deepEqual(errorsOf(await server.add('token', {}, null)), [
        `422 field.required ${at('login')}`,
        `422 field.required ${at('password')}`,
      ])
      assert.deepEqual(errorsOf(await wish({ lifetime: 1e9 })), [`422 field.invalid_value ${at('lifetime')}`])
      assert.deepEqual(errorsOf(await wish({ scope: 'all' })), [`422 field.invalid_value ${at('scope')}`])
      assert.deepEqual(errorsOf(await wish({ tables: [999] })), [`422 field.invalid_value ${at('tables')}`])
      assert.deepEqual(errorsOf(await wish({ token: 'x' })), [`400 attribute.unknown ${at('token')}`])
      assert.deepEqual(errorsOf(await wish({ login: 'a\0b' })), [`422 field.invalid_value ${at('login')}`])
    })
    it('limited to some tables see no others and administrate nothing', async () => {
      const { json } = await server.add('token', { ...server.first, tables: [Number(tableId)] }, null)
      const { token } = json.data.attributes
      const other = await server.make('table', { table_name: 'Other' })
      assert.equal((await server.get(`table/${tableId}`, token)).status, 200)
      assert.equal((await server.get(`table/${other}`, token)).status, 404)
      assert.equal((await server.get(`data${other}`, token)).status, 404)
      for (const [type, attributes] of [
        ['table', { table_name: 'X' }],
        ['user', { login: 'x' }],
        ['group', { group_name: 'x' }],
      ] as const) {
        assert.equal((await server.add(type, attributes, token)).status, 403, type)
      }
    })
    it('that may only read write nothing', async () => {
      const { json } = await server.add('token', { ...server.first, scope: 'read' }, null)
      const { token } = json.data.attributes
      assert.equal((await server.get(`table/${tableId}`, token)).json.data.meta.access.create, false)
      assert.equal((await server.add(`data${tableId}`, {}, token)).status, 403)
      assert.equal((await server.add('table', { table_name: 'X' }, token)).status, 403)
      assert.equal(
        (await server.add('filter', { table_id: Number(tableId), filter_name: 'F', expression: 'eq(status,0)' }, token)).status,
        403,
      )
    })
    it('are throttled with a time to wait', async () => {
      await server.make('user', { login: 'eve', password: 'eve eve eve' })
      for (let i = 0; i < 10; i++) await server.add('token', { login: 'eve', password: 'wrong' }, null)
      const { status, headers } = await server.add('token', { login: 'eve', password: 'eve eve eve' }, null)
      assert.deepEqual([status, headers.get('retry-after')], [429, '1'])
      server.clock.now += 1000
      assert.equal((await server.add('token', { login: 'eve', password: 'eve eve eve' }, null)).status, 201)
    })
  })

  describe('an invitation', () => {
    it('lets a user choose their password, once', async () => {
      const userId = Number(await server.make('user', { login: 'fred' }))
      assert.deepEqual(errorsOf(await server.add('invitation', { user_id: userId }, manager)), ['403 access.denied'])
      const { status, json } = await server.add('invitation', { user_id: userId, lifetime: 60 })
      assert.equal(status, 201)
      const { code } = json.data.attributes
      assert.equal((await server.get(`invitation/${json.data.id}`)).json.data.attributes.code, undefined)
      const redeem = (password: string) => server.add('invitation', { code, password }, null, 'invitation/redeem')
      assert.deepEqual(errorsOf(await redeem('short')), [`422 field.invalid_value ${at('password')}`])
      assert.deepEqual((await redeem('fred fred')).json.meta, { login: 'fred' })
      assert.deepEqual(errorsOf(await redeem('fred fred')), ['404 auth.invitation_invalid'])
      await server.signIn('fred', 'fred fred')
      const second = await server.make('invitation', { user_id: userId })
      assert.equal((await server.remove(`invitation/${second}`)).status, 200)
    })
  })

  describe('the audit log', () => {
    it('tells who erased a record', async () => {
      const tableId = await server.make('table', { table_name: 'Erasing' })
      const id = await server.make(`data${tableId}`, {})
      await server.remove(`data${tableId}/${id}`)
      const [entry] = (await server.get(`trash?filter=eq(table_id,${tableId})`)).json.data
      assert.equal((await server.remove(`trash/${entry.id}`)).status, 200)
      const { json } = await server.get(`audit?filter=eq(action,'record_erased')`)
      assert.equal(json.data.length, 1)
      assert.deepEqual([json.data[0].attributes.subject, json.data[0].attributes.detail], [`record ${id}`, `table ${tableId}`])
    })

    it('tells administrators who did what, and from where', async () => {
      await server.make('category', { category_name: 'Logged' })
      const { json } = await server.get('audit?sort=-id&page[limit]=1')
      assert.deepEqual(
        { ...json.data[0].attributes, subject: '' },
        { time: '2024-05-01 09:30:16', user_id: 1, address: '127.0.0.1', action: 'category_created', subject: '', detail: 'Logged' },
      )
      assert.equal((await server.get('audit', manager)).json.meta.total, 0)
      assert.equal((await server.get("audit?filter=eq(action,'signed_in')")).json.meta.total > 3, true)
      assert.equal((await server.remove('audit/1')).status, 405)
      assert.equal((await server.add('audit', {})).status, 405)
    })
  })

  it('answer documents that are wrong as those of records are answered', async () => {
    const sent = (json: unknown, method = 'PATCH') => server.call(method, method === 'POST' ? 'category' : 'group/3', json).then(errorsOf)
    assert.deepEqual(await sent({ data: { type: 'user', id: '3' } }), ['409 document.wrong_type /data/type'])
    assert.deepEqual(await sent({ data: { type: 'group', id: '4' } }), ['409 document.wrong_id /data/id'])
    assert.deepEqual(await sent({ data: { type: 'group' } }), ['400 document.missing_member /data/id'])
    assert.deepEqual(await sent({ data: { type: 'category', id: '9', attributes: {} } }, 'POST'), ['403 document.client_id /data/id'])
    assert.equal((await server.call('PATCH', 'group/3', { data: { type: 'group', id: 3 } })).status, 200)
  })
})
