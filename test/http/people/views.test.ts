import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../../src/limits.ts'
import { sql } from '../../../src/sql/sql.ts'
import { makeTable, person, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

const pointer = '/data/attributes'

describe('saved views', () => {
  let service: Service
  let deals: Table & { readonly f: Readonly<Record<'title' | 'secret' | 'stage' | 'due', string>> }
  let anna: { id: string; token: string }
  let boris: { id: string; token: string }
  before(async () => {
    service = await startService()
    const stage = { field_type: 'list', options: ['new', 'won'] }
    deals = await makeTable(service, 'Deals', { title: 'text', secret: 'integer', stage, due: 'date' })
    await service.make('access', { group_id: 3, table_id: deals.id, read: true, fields: { [deals.f.secret]: 'hidden' } })
    anna = await person(service, 3, 'anna')
    boris = await person(service, 3, 'boris')
  })
  after(() => service.close())

  const wish = (more: object = {}) => ({ table_id: deals.id, view_name: 'Open', ...more })
  const attributesOf = async (id: string, token?: string) => (await service.get(`view/${id}`, token)).json.data.attributes

  it('show a table as they were saved', async () => {
    const { title, stage, due } = deals.f
    const full = {
      kind: 'board',
      filter: `eq(${stage},'new')`,
      sort: `-${due},id`,
      columns: [
        { attribute: title, width: 240, wrap: true, frozen: true, figure: 'filled' },
        { attribute: 'id' },
        { attribute: 'add_time', width: 1 },
      ],
      group_by: stage,
      figure: `sum:${deals.f.secret}`,
      span: 'week',
    }
    const id = await service.make('view', wish(full))
    const attributes = { table_id: deals.id, view_name: 'Open', ...full, user_id: 0 }
    assert.deepEqual(await attributesOf(id), attributes)
    assert.deepEqual(await attributesOf(id, anna.token), { ...attributes, figure: '' })
    const changed = await service.change('view', id, {
      ...attributes,
      group_by: `${due}:month`,
      kind: 'chart',
      columns: null,
      filter: '',
      figure: 'count',
    })
    assert.equal(changed.status, 200, changed.text)
    const now = { ...attributes, group_by: `${due}:month`, kind: 'chart', columns: [], filter: '', figure: 'count' }
    assert.deepEqual(await attributesOf(id), now)
    const { json } = await service.get(`view?filter=and(eq(table_id,${deals.id}),eq(kind,'chart'))`, anna.token)
    assert.deepEqual([json.meta.total, json.data[0].attributes], [1, now])
    const plain = await service.make('view', wish())
    const empty = { kind: 'grid', filter: '', sort: '', columns: [], group_by: '', figure: '', span: '' }
    assert.deepEqual(await attributesOf(plain), { ...wish(), ...empty, user_id: 0 })
    const { changes } = (await service.get(`change?filter=and(eq(table_id,0),eq(record_id,${plain}))&sort=-id`)).json.data[0].attributes
    assert.equal(changes.view_name.to, 'Open')
    assert.equal((await service.remove(`view/${id}`)).status, 200)
    refused(await service.get(`view/${id}`), '404 resource.not_found')
  })

  it('say of columns what was changed alone; those that are hidden from a reader are named nowhere', async () => {
    const { title, secret, stage } = deals.f
    const columns = [
      { attribute: '*', frozen: false },
      { attribute: stage, after: '' },
      { attribute: title, width: 90, after: secret },
      { attribute: secret, hidden: true },
    ]
    const id = await service.make('view', wish({ columns }))
    assert.deepEqual((await attributesOf(id)).columns, columns)
    const seen = [columns[0], columns[1], { attribute: title, width: 90 }]
    assert.deepEqual((await attributesOf(id, anna.token)).columns, seen)
    for (const after of ['nothing', '*', secret])
      refused(await service.add('view', wish({ columns: [{ attribute: title, after }] }), anna.token), `422 field.invalid_value ${pointer}/columns`) // prettier-ignore
    assert.equal((await service.remove(`view/${id}`)).status, 200)
  })

  it('of an older version have no figure and no span', async () => {
    await service.store.db.write((tx) =>
      tx.run(sql`INSERT INTO saved_views (table_id, title, titlek, kind, kindk, filter, sort, columns, group_by, user_id)
        VALUES (${deals.id}, 'Old', 'old', 'chart', 'chart', '""', '""', '[]', '""', 0)`),
    )
    const { json } = await service.get(`view?filter=eq(view_name,'Old')`)
    assert.equal(json.meta.total, 1)
    const [{ id, attributes }] = json.data
    assert.deepEqual([attributes.figure, attributes.span], ['', ''])
    assert.equal((await service.change('view', id, { span: 'week' })).status, 200)
    assert.deepEqual(await attributesOf(id), { ...attributes, span: 'week' })
    assert.equal((await service.remove(`view/${id}`)).status, 200)
  })

  it('are shared by administrators and personal to everybody who may read the table', async () => {
    const shared = await service.make('view', wish())
    const own = await service.make('view', wish({ view_name: 'Mine' }), anna.token)
    assert.equal((await attributesOf(own, anna.token)).user_id, Number(anna.id))
    refused(await service.get(`view/${own}`, boris.token), '404 resource.not_found')
    assert.equal((await service.get(`view/${own}`)).status, 200, 'administrators see all')
    refused(await service.add('view', wish({ user_id: 0 }), anna.token), `403 access.denied ${pointer}/user_id`)
    refused(await service.add('view', wish({ user_id: Number(boris.id) }), anna.token), `403 access.denied ${pointer}/user_id`)
    refused(await service.change('view', shared, { view_name: 'x' }, anna.token), '403 access.denied')
    refused(await service.remove(`view/${shared}`, anna.token), '403 access.denied')
    refused(await service.remove(`view/${own}`, boris.token), '404 resource.not_found')
    assert.equal((await service.change('view', own, { view_name: 'Still mine' }, anna.token)).status, 200)
    assert.equal((await service.remove(`view/${own}`, anna.token)).status, 200)
    const closed = await makeTable(service, 'Closed', { name: 'text' })
    const hidden = await service.make('view', { table_id: closed.id, view_name: 'x' })
    refused(await service.get(`view/${hidden}`, anna.token), '404 resource.not_found')
    for (const table_id of [closed.id, 4711])
      refused(await service.add('view', wish({ table_id }), anna.token), `422 field.invalid_value ${pointer}/table_id`)
  })

  it('show nothing of an attribute that is hidden from the reader', async () => {
    const { title, secret } = deals.f
    const parts = {
      sort: `${secret},-${title}`,
      columns: [{ attribute: secret, width: 90 }, { attribute: title }],
      group_by: secret,
      figure: `avg:${secret}`,
    }
    const id = await service.make('view', wish({ view_name: 'Parts', ...parts }))
    const { sort, columns, group_by, figure } = await attributesOf(id, anna.token)
    assert.deepEqual({ sort, columns, group_by, figure }, { sort: `-${title}`, columns: [{ attribute: title }], group_by: '', figure: '' })
    const filtered = await service.make('view', wish({ view_name: 'Filtered', filter: `gt(${secret},5)` }))
    refused(await service.get(`view/${filtered}`, anna.token), '404 resource.not_found')
    const { text, json } = await service.get(`view?filter=in(id,${id},${filtered})`, anna.token)
    assert.equal(json.meta.total, 1)
    assert.ok(!text.includes(`"${secret}"`) && !text.includes(`${secret},`))
    for (const query of [
      `filter=contains(sort,'f')`,
      `filter=contains(filter,'f')`,
      'sort=columns',
      `filter=ne(group_by,'')`,
      `filter=ne(figure,'')`,
    ])
      assert.equal((await service.get(`view?${query}`, anna.token)).status, 400, query)
    for (const [name, value] of [
      ['filter', `gt(${secret},5)`],
      ['sort', secret],
      ['columns', [{ attribute: secret }]],
      ['group_by', secret],
      ['figure', `sum:${secret}`],
    ] as const) {
      const answers = await Promise.all([value, JSON.parse(JSON.stringify(value).replaceAll(secret, 'f4711'))].map(async (sent) =>
        (await service.add('view', wish({ [name]: sent }), anna.token)).json.errors[0])) // prettier-ignore
      assert.deepEqual([answers[0].code, answers[0].source.pointer], ['field.invalid_value', `${pointer}/${name}`])
      assert.equal(answers[0].detail.replaceAll(secret, 'f4711'), answers[1].detail, 'as one that does not exist')
    }
    const total = async (token?: string) => (await service.get(`view?filter=eq(view_name,'Filtered')`, token)).json.meta.total
    assert.deepEqual([await total(), await total(anna.token)], [1, 0])
    await service.change('view', filtered, { filter: '' })
    assert.equal(await total(anna.token), 1)
  })

  it('are refused where they say nothing that can be shown', async () => {
    const { title, due } = deals.f
    for (const [name, value] of [
      ['kind', 'table'],
      ['filter', 'eq(x,'],
      ['filter', 'use_filter(1)'],
      ['sort', 'nothing'],
      ['sort', `${title},${title}`],
      ['group_by', due],
      ['figure', 'sum'],
      ['figure', `sum:${title}`],
      ['figure', `count,sum:${deals.f.secret}`],
      ['span', 'year'],
      ['group_by', `${due}:minute`],
      ['columns', [{ attribute: 'nothing' }]],
      ['columns', [{ attribute: title }, { attribute: title }]],
      ['columns', [{ attribute: title, width: 0 }]],
      ['columns', [{ attribute: title, width: '5' }]],
      ['columns', [{ attribute: title, colour: 1 }]],
      ['columns', [{ attribute: title, wrap: 1 }]],
      ['columns', [{ attribute: title, frozen: 'yes' }]],
      ['columns', [{ attribute: title, figure: 'median' }]],
      ['columns', [{ attribute: title, hidden: 1 }]],
      ['columns', [{ attribute: title, after: 1 }]],
      ['columns', [{ attribute: '*' }, { attribute: '*' }]],
      ['columns', [title]],
      ['columns', { attribute: title }],
    ] as const)
      refused(await service.add('view', wish({ [name]: value })), `422 field.invalid_value ${pointer}/${name}`)
    const widths = (width: number) => service.add('view', wish({ columns: [{ attribute: title, width }] }))
    assert.equal((await widths(limits.columnWidth.most)).status, 201)
    refused(await widths(limits.columnWidth.most + 1), `422 field.invalid_value ${pointer}/columns`)
    const many = await service.add(
      'view',
      wish({ columns: Array.from({ length: limits.viewColumns.most + 1 }, () => ({ attribute: 'x' })) }),
    )
    refused(many, `422 field.invalid_value ${pointer}/columns`)
    assert.match(many.json.errors[0].detail, /at most 600/)
  })

  it('lose what is deleted, and go with their table', async () => {
    const table = await makeTable(service, 'Gone', { name: 'text', more: 'text' })
    const { name, more } = table.f
    const id = await service.make('view', {
      table_id: table.id,
      view_name: 'x',
      filter: `eq(${name},'a')`,
      columns: [{ attribute: name! }, { attribute: more! }],
    })
    assert.equal((await service.remove(`field/${more!.slice(1)}`)).status, 200)
    assert.deepEqual((await attributesOf(id)).columns, [{ attribute: name }])
    assert.equal((await service.remove(`table/${table.id}`)).status, 200)
    refused(await service.get(`view/${id}`), '404 resource.not_found')
    const [entry] = (await service.get(`trash?filter=eq(table_id,${table.id})&sort=-id`)).json.data
    assert.equal((await service.remove(`trash/${entry.id}`)).status, 200)
    const left = await service.store.db.read(
      sql`SELECT id FROM saved_views WHERE id = ${Number(id)}`,
      sql`SELECT field_id FROM saved_view_fields WHERE view_id = ${Number(id)}`,
    )
    assert.deepEqual(left, [[], []])
  })

  it('are limited in number', async () => {
    const fill = (owner: number, count: number) =>
      service.store.db.write(async (tx) => {
        for (let i = 0; i < count; i++)
          await tx.run(sql`INSERT INTO saved_views (table_id, title, titlek, kind, kindk, filter, sort, columns, group_by, user_id)
            VALUES (${deals.id}, 'x', 'x', 'grid', 'grid', '""', '""', '[]', '""', ${owner})`)
      })
    await fill(Number(boris.id), limits.viewsPerUser.most)
    refused(await service.add('view', wish(), boris.token), '409 quota.reached')
    assert.equal((await service.add('view', wish(), anna.token)).status, 201)
    await fill(0, limits.sharedViews.most)
    refused(await service.add('view', wish()), '409 quota.reached')
  })
})
