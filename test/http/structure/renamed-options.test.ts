import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { idsOf, makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

/* Filters that were saved name options by their labels. They find the same records when an option gets another label. */

describe('a renamed option', () => {
  let service: Service
  let deals: Table & { readonly f: Readonly<Record<'stage' | 'tags' | 'title', string>> }
  let tasks: Table & { readonly f: Readonly<Record<'deal', string>> }
  before(async () => {
    service = await startService()
    deals = await makeTable(service, 'Deals', {
      stage: { field_type: 'list', options: ['New', 'Won', 'Lost', '2024'] },
      tags: { field_type: 'multilist', options: ['Hot', 'Cold', 'Old'] },
      title: 'text',
    })
    tasks = await makeTable(service, 'Tasks', { deal: { field_type: 'reference', reference_table_id: deals.id } })
    const { stage, tags, title } = deals.f
    for (const [label, words, text] of [
      ['New', 'Hot', 'New'],
      ['Won', 'Hot\r\nCold', 'Won'],
      ['Lost', 'Cold', 'Lost'],
      ['2024', 'Old', '2024'],
      ['', '', ''],
    ])
      await service.make(deals.type, { [stage]: label, [tags]: words, [title]: text })
    for (const deal of ['1', '2', '3', '4', '5']) await service.make(tasks.type, { [tasks.f.deal]: deal })
  })
  after(() => service.close())

  const save = (table: Table, expression: string): Promise<string> =>
    service.make('filter', { table_id: table.id, filter_name: 'saved', expression })
  const found = async (table: Table, id: string): Promise<string[]> => idsOf(await service.get(`${table.type}?filter=use_filter(${id})`))
  const shown = async (type: string, id: string, attribute: string): Promise<string> =>
    (await service.get(`${type}/${id}`)).json.data.attributes[attribute]
  /** Gives the options of a field these labels, in the order of their ids. */
  const rename = async (field: string, ...labels: string[]): Promise<void> => {
    const id = field.slice(1)
    const { options } = (await service.get(`field/${id}`)).json.data.attributes
    const sorted = options.toSorted((one: { id: number }, other: { id: number }) => one.id - other.id)
    const answer = await service.change('field', id, { options: labels.map((label, i) => ({ id: sorted[i].id, label })) })
    assert.equal(answer.status, 200, answer.text)
  }

  it('does not change what saved filters find, also where labels change places', async () => {
    const { stage, tags, title } = deals.f
    const { deal } = tasks.f
    const filters: [Table, string, string][] = [
      [deals, `EQ( ${stage} , 'new' )`, `EQ( ${stage} , 'Won' )`],
      [deals, `or(in(${stage},'New','Lost',2024),is_empty(${stage}))`, `or(in(${stage},'Won','Lo''st','Year'),is_empty(${stage}))`],
      [deals, `not(nin(${stage},'Won',''))`, `not(nin(${stage},'New',''))`],
      [deals, `and(ne(${stage},'Won'),eq(${title},'Lost'))`, `and(ne(${stage},'New'),eq(${title},'Lost'))`],
      [deals, `has(${tags},'hot')`, `has(${tags},'Warm')`],
      [deals, `eq(${tags},'Hot\r\nCold')`, `eq(${tags},'Warm\r\nCold')`],
      [tasks, `eq(${deal}.${stage},'Won')`, `eq(${deal}.${stage},'New')`],
      // What compares the text of labels means the text.
      [deals, `contains(${title},'Won')`, `contains(${title},'Won')`],
    ]
    const before: string[][] = []
    const ids: string[] = []
    for (const [table, text] of filters) {
      const id = await save(table, text)
      ids.push(id)
      before.push(await found(table, id))
      assert.notEqual(before.at(-1)!.length, 0, text)
    }
    await rename(stage, 'Won', 'New', "Lo'st", 'Year')
    await rename(tags, 'Warm', 'Cold', 'Old')
    for (const [i, [table, , text]] of filters.entries()) {
      assert.equal(await shown('filter', ids[i]!, 'expression'), text)
      assert.deepEqual(await found(table, ids[i]!), before[i], text)
    }
    await rename(stage, 'New', 'Won', 'Lost', '2024')
    await rename(tags, 'Hot', 'Cold', 'Old')
    for (const [i, [table, text]] of filters.entries()) assert.deepEqual(await found(table, ids[i]!), before[i], text)
  })

  it('does not change what the filters of views select', async () => {
    const { stage } = deals.f
    const view = await service.make('view', { table_id: deals.id, view_name: 'won', kind: 'grid', filter: `eq(${stage},'Won')` })
    const filter = await save(deals, `eq(${stage},'Won')`)
    await rename(stage, 'New', 'Gained', 'Lost', '2024')
    assert.equal(await shown('view', view, 'filter'), `eq(${stage},'Gained')`)
    assert.equal(await shown('filter', filter, 'expression'), `eq(${stage},'Gained')`)
    await rename(stage, 'New', 'Won', 'Lost', '2024')
  })

  it('does not change what webhooks are sent', async () => {
    const { stage, title } = deals.f
    const group = Number(await service.make('group', { group_name: 'Followers' }))
    const rule = await service.make('access', { group_id: group, table_id: deals.id, read: true })
    const token = await service.tokenOf(group)
    const hook = { url: 'https://receiver.example/', table_id: deals.id }
    const mine = await service.make('webhook', { ...hook, filter: `eq(${stage},'Won')` })
    const made = await service.call(
      'POST',
      'webhook',
      { data: { type: 'webhook', attributes: { ...hook, filter: `in(${stage},'New','Won')` } } },
      token,
    )
    assert.equal(made.status, 201, made.text)
    const other = await service.make('webhook', { ...hook, filter: `eq(${title},'Won')` })
    await rename(stage, 'Fresh', 'Gained', 'Lost', '2024')
    assert.deepEqual(await Promise.all([mine, made.json.data.id, other].map((id) => shown('webhook', id, 'filter'))), [
      `eq(${stage},'Gained')`,
      `in(${stage},'Fresh','Gained')`,
      `eq(${title},'Won')`,
    ])
    await rename(stage, 'New', 'Won', 'Lost', '2024')
    assert.equal(await shown('webhook', mine, 'filter'), `eq(${stage},'Won')`)
    for (const id of [mine, made.json.data.id, other]) await service.remove(`webhook/${id}`)
    await service.remove(`access/${rule}`)
  })

  it('does not change what the rules of a group allow, and is not refused for them', async () => {
    const { stage } = deals.f
    const group = Number(await service.make('group', { group_name: 'Sales' }))
    const token = await service.tokenOf(group)
    const rule = await service.make('access', {
      group_id: group,
      table_id: deals.id,
      read: true,
      update: true,
      read_filter: `in(${stage},'Won','Lost')`,
      write_filter: `eq(${stage},'Won')`,
    })
    await rename(stage, 'Lost', 'Gained', 'New', '2024')
    assert.deepEqual(idsOf(await service.get(deals.type, token)), ['2', '3'])
    assert.equal(await shown('access', rule, 'read_filter'), `in(${stage},'Gained','New')`)
    assert.equal(await shown('access', rule, 'write_filter'), `eq(${stage},'Gained')`)
    refused(await service.change(deals.type, '3', { [deals.f.title]: 'x' }, token), '403 access.denied')
    assert.equal((await service.change(deals.type, '2', { [deals.f.title]: 'x' }, token)).status, 200)
    await rename(stage, 'New', 'Won', 'Lost', '2024')
    await service.remove(`access/${rule}`)
  })

  it('that had the label of a removed one: both are found as before', async () => {
    const marks = await makeTable(service, 'Marks', { mark: { field_type: 'list', options: ['One', 'Two'] } })
    const { mark } = marks.f
    const field = mark.slice(1)
    const [, two] = (await service.get(`field/${field}`)).json.data.attributes.options
    for (const label of ['One', 'Two', '']) await service.make(marks.type, { [mark]: label })
    await service.change('field', field, { options: [two] })
    await service.change('field', field, { options: [{ ...two, label: 'One' }] })
    const [same, other] = [await save(marks, `eq(${mark},'One')`), await save(marks, `ne(${mark},'One')`)]
    assert.deepEqual([await found(marks, same), await found(marks, other)], [['1', '2'], ['3']])
    await service.change('field', field, { options: [{ ...two, label: 'Second' }] })
    assert.deepEqual([await found(marks, same), await found(marks, other)], [['1', '2'], ['3']])
    assert.equal(await shown('filter', same, 'expression'), `in(${mark},'One','Second')`)
  })
})
