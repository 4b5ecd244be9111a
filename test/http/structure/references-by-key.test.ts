import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { runJobs, type JobRunner } from '../../../src/jobs/run-jobs.ts'
import { checkIntegrity } from '../../../src/store/upkeep/check-integrity.ts'
import { jobWhen } from '../../support/jobs.ts'
import { makeTable, refused } from '../../support/scene.ts'
import { startService, type Service } from '../../support/service.ts'

/* A field becomes a reference, and its values are those of a unique field of the other table. */

describe('a field becomes a reference by a unique field', () => {
  let service: Service
  let runner: JobRunner
  before(async () => {
    service = await startService()
    runner = runJobs(service.store)
  })
  after(async () => {
    await runner.close()
    await service.close()
  })

  const unique = (field_type: string, more: object = {}) => ({ field_type, unique: true, ...more })
  const change = (field: string, attributes: object, query = '', token?: string) =>
    service.change('field', field.slice(1), attributes, token, query)
  const becomes = (table: { id: number }, by: string, field_type = 'reference') => ({
    field_type,
    reference_table_id: table.id,
    reference_by: Number(by.slice(1)),
  })
  const valuesOf = async (type: string, field: string): Promise<string[]> => {
    const { json, text } = await service.get(`${type}?sort=id&page[limit]=200`)
    assert.ok(json.data, text)
    return json.data.map(({ attributes }: { attributes: Record<string, string> }) => attributes[field])
  }
  const makeAll = async (type: string, field: string, values: readonly unknown[]): Promise<string[]> => {
    const ids: string[] = []
    for (const value of values) ids.push(await service.make(type, { [field]: value }))
    return ids
  }
  const mustBeWhole = async () => {
    const faults: string[] = []
    for await (const fault of checkIntegrity(service.store)) faults.push(fault)
    assert.deepEqual(faults, [])
  }

  /** What is in a unique field of texts, and what is to meet it: by the same rule by which a second one would be refused. */
  const LONG = 'ж'.repeat(254)
  const MARKS = `"'%_\\;--,()|<b>&amp;`
  const HELD = ['Heron', 'Étoile', 'Ёлка', '  two  spaces ', MARKS, `${LONG}A`, `${LONG}B`, '007', '*', '🚀', 'gone', 'ﬁ']
  const MEET: readonly (readonly [string, string | undefined])[] = [
    ['heron', 'Heron'],
    ['HERON', 'Heron'],
    ['E\u0301TOILE', 'Étoile'],
    ['Etoile', undefined],
    ['елка', 'Ёлка'],
    ['  two  spaces ', '  two  spaces '],
    ['two spaces', undefined],
    [' Heron', undefined],
    [MARKS, MARKS],
    [`${LONG}a`, `${LONG}A`],
    [`${LONG}B`, `${LONG}B`],
    [LONG, undefined],
    ['007', '007'],
    ['7', undefined],
    ['1', undefined],
    ['*', '*'],
    ['🚀', '🚀'],
    ['gone', undefined],
    ['fi', undefined],
  ]

  async function companies(name: string) {
    const table = await makeTable(service, name, { name: unique('text'), city: 'text' })
    const ids = await makeAll(table.type, table.f.name, HELD)
    assert.equal((await service.remove(`${table.type}/${ids[HELD.indexOf('gone')]!}`)).status, 200)
    const idOf = (value: string | undefined) => (value === undefined ? '0' : ids[HELD.indexOf(value)]!)
    return { table, ids, idOf, by: table.f.name }
  }

  it('meets what the unique field would not let stand beside it, tells before what meets nothing, and loses it only where asked', async () => {
    const { table, idOf, by } = await companies('Companies')
    for (const [value, met] of MEET)
      if (met !== undefined) refused(await service.add(table.type, { [by]: value }), `409 field.not_unique /data/attributes/${by}`)
      else if (value !== 'gone') await service.remove(`${table.type}/${await service.make(table.type, { [by]: value })}`)
    const deals = await makeTable(service, 'Deals', { title: 'text', company: 'text' })
    const { company } = deals.f
    const ids = await makeAll(deals.type, company, [...MEET.map(([value]) => value), '', 'heron', '1'])
    assert.equal((await service.remove(`${deals.type}/${ids[0]!}`)).status, 200)
    const lost = MEET.flatMap(([value, met], i) => (met === undefined ? [{ record_id: ids[i]!, value, becomes: '0' }] : []))
    const now = await valuesOf(deals.type, company)
    const foretold = await change(company, becomes(table, by), '?dryRun=true')
    assert.equal(foretold.status, 200, foretold.text)
    assert.deepEqual([foretold.json.meta.converted, foretold.json.meta.lost], [MEET.length + 2, lost.length + 1])
    assert.deepEqual(foretold.json.meta.examples_lost, lost, 'each value once')
    assert.equal(foretold.json.meta.examples[0].becomes, idOf('Heron'))
    const safe = await change(company, becomes(table, by))
    refused(safe, '409 field.would_lose_data /data/attributes/field_type')
    assert.equal(safe.json.errors[0].meta.count, lost.length + 1)
    assert.deepEqual(await valuesOf(deals.type, company), now)
    service.clock.now += 60_000
    const done = await change(company, becomes(table, by), '?convertMode=lossy')
    assert.equal(done.status, 200, done.text)
    assert.deepEqual([done.json.data.attributes.field_type, 'reference_by' in done.json.data.attributes], ['reference', false])
    assert.deepEqual(await valuesOf(deals.type, company), [...MEET.slice(1).map(([, met]) => idOf(met)), '0', idOf('Heron'), '0'])
    const [entry] = (await service.get(`trash?filter=and(eq(table_id,${deals.id}),eq(item_id,${ids[0]!}))`)).json.data
    await service.call('POST', `trash/${entry.id}/restore`)
    assert.equal((await service.get(`${deals.type}/${ids[0]!}`)).json.data.attributes[company], idOf('Heron'))
    const found = await service.get(`${deals.type}?filter=eq(${company}.${by},'heron')&sort=id&fields[${deals.type}]=${company}`)
    assert.equal(found.status, 200, found.text)
    assert.deepEqual(
      found.json.data.map(({ id }: { id: string }) => id),
      [ids[0], ids[1], ids.at(-2)],
    )
    const [told] = (await service.get(`change?filter=and(eq(table_id,${deals.id}),eq(record_id,${ids[2]!}),eq(action,'convert'))`)).json
      .data
    assert.deepEqual(told.attributes.changes[company], { from: 'E\u0301TOILE', to: idOf('Étoile') })
    await mustBeWhole()
  })

  it('gives a record back what it held before, by its name and not by its number', async () => {
    const clients = await makeTable(service, 'Codes', { code: unique('text') })
    const [one, two] = await makeAll(clients.type, clients.f.code, ['2', '1'])
    for (const query of service.store.db.dialect.keysApart ? [''] : ['', '?asJob=true']) {
      const orders = await makeTable(service, `Orders ${query}`, { it: 'text' })
      const { it: field } = orders.f
      const [id] = await makeAll(orders.type, field, ['2'])
      if (query === '') assert.equal((await change(field, { field_type: 'longtext' })).status, 200)
      const done = await change(field, becomes(clients, clients.f.code), query)
      assert.ok(done.status < 300, done.text)
      if (done.status === 202) assert.equal((await jobWhen(service, done.json.data.id)).state, 'done')
      assert.deepEqual(await valuesOf(orders.type, field), [one])
      assert.equal((await service.change(orders.type, id!, { [field]: two })).status, 200)
      const [first] = (await service.get(`change?filter=and(eq(table_id,${orders.id}),eq(record_id,${id!}))&sort=id`)).json.data
      const restore = (token?: string) =>
        service.call('POST', `${orders.type}/${id!}/restore`, { meta: { change: Number(first.id) } }, token)
      const group = Number(await service.make('group', { group_name: `Clerks ${query}` }))
      await service.make('access', { table_id: orders.id, group_id: group, read: true, update: true })
      const refusal = await restore(await service.tokenOf(group))
      assert.deepEqual([refusal.status, refusal.json.errors[0].code], [422, 'field.invalid_value'], refusal.text)
      const back = await restore()
      assert.equal(back.status, 200, back.text)
      assert.deepEqual(await valuesOf(orders.type, field), [one])
      assert.equal((await service.change(orders.type, id!, { [field]: two })).status, 200)
      assert.equal((await service.change(clients.type, one!, { [clients.f.code]: 'x' })).status, 200)
      refused(await restore(), '422 field.invalid_value /meta/change')
      assert.equal((await service.change(clients.type, one!, { [clients.f.code]: '2' })).status, 200)
    }
  })

  it('by a job, in the same way, also what others write meanwhile', async () => {
    const { table, ids, idOf, by } = await companies('Job companies')
    const deals = await makeTable(service, 'Job deals', { company: 'text' })
    const { company } = deals.f
    const made = await makeAll(
      deals.type,
      company,
      MEET.map(([value]) => value),
    )
    assert.equal((await service.remove(`${deals.type}/${made[1]!}`)).status, 200)
    const byJob = async (more = '') => {
      const asked = await service.send('PATCH', `/api/dev/field/${company.slice(1)}?asJob=true${more}`, {
        body: { data: { type: 'field', id: company.slice(1), attributes: becomes(table, by) } },
      })
      assert.equal(asked.status, 202, asked.text)
      return jobWhen(service, asked.json.data.id)
    }
    const lost = MEET.filter(([, met]) => met === undefined)
    if (service.store.db.dialect.keysApart) return
    const failed = await byJob()
    assert.deepEqual([failed.state, failed.error.code, failed.result.lost], ['failed', 'field.would_lose_data', lost.length])
    assert.equal(failed.result.examples[0].value, 'Etoile')
    const job = byJob('&convertMode=lossy')
    const late = await service.make(deals.type, { [company]: 'hERON' }).catch(() => undefined)
    assert.equal((await job).state, 'done', JSON.stringify(await job))
    const expected = MEET.map(([, met]) => idOf(met))
    expected.splice(1, 1)
    // The job may have been faster: then the text was none of a reference.
    assert.deepEqual(await valuesOf(deals.type, company), [...expected, ...(late === undefined ? [] : [ids[0]])])
    await mustBeWhole()
  })

  it('of other types: numbers, mail addresses, telephone numbers, lists', async () => {
    const target = await makeTable(service, 'Targets', {
      code: unique('integer'),
      price: unique('decimal', { scale: 2 }),
      mail: unique('email'),
      phone: unique('phone'),
      day: unique('date'),
      word: unique('text'),
    })
    const { code, price, mail, phone, day, word } = target.f
    const one = await service.make(target.type, {
      [code]: 5,
      [price]: '1.50',
      [mail]: 'Anna@Example.com',
      [phone]: '+7 (900) 000-00-01',
      [day]: '2024-05-01',
      [word]: 'Red',
    })
    const two = await service.make(target.type, { [code]: 999999999999999999n.toString(), [word]: 'blue' })
    const field = async (name: string, type: string, values: readonly unknown[], more: object = {}) => {
      const table = await makeTable(service, name, { it: { field_type: type, ...more } })
      await makeAll(table.type, table.f.it, values)
      return { ...table, it: table.f.it }
    }
    for (const [type, by, values, expected, more] of [
      ['integer', code, [5, 0, '999999999999999999'], [one, '0', two]],
      ['decimal', code, ['5.00', '0'], [one, '0'], { scale: 2 }],
      ['text', code, ['5', '', '005'], [one, '0', one]],
      ['text', price, ['1.5', '1.50'], [one, one]],
      ['email', mail, ['anna@example.com', ''], [one, '0']],
      ['text', mail, ['ANNA@example.com'], [one]],
      ['phone', phone, ['+79000000001', '+7 900 000 00 01'], [one, one]],
      ['text', phone, ['+7-900-0000001'], [one]],
      ['text', day, ['2024-05-01'], [one]],
      ['list', word, ['red', 'BLUE', ''], [one, two, '0'], { options: ['red', 'BLUE'] }],
      ['multilist', word, ['red', '', 'BLUE'], [one, '0', two], { options: ['red', 'BLUE'] }],
    ] as const) {
      const { type: records, it } = await field(`${type} by ${by}`, type, values, more)
      const done = await change(it, becomes(target, by))
      assert.equal(done.status, 200, `${type} ${by} ${done.text}`)
      assert.deepEqual(await valuesOf(records, it), expected, `${type} ${by}`)
    }
    const options = ['red', 'blue', 'green']
    const several = await field('Several', 'multilist', ['blue\r\nred', 'red', ''], { options })
    assert.equal((await change(several.it, becomes(target, word, 'references'))).status, 200)
    assert.deepEqual(await valuesOf(several.type, several.it), [`-${two}-${one}-`, `-${one}-`, ''])
    for (const [type, values, lost] of [
      ['references', [`-${one}-`, '', `-${one}-${two}-`], 2],
      ['reference', [one, '0', one], 3],
    ] as const) {
      const partly = await field(`Partly ${type}`, 'multilist', ['green\r\nred', 'green', 'red\r\nblue'], { options })
      assert.equal((await change(partly.it, becomes(target, word, type), '?dryRun=true')).json.meta.lost, lost)
      refused(await change(partly.it, becomes(target, word, type)), '409 field.would_lose_data /data/attributes/field_type')
      assert.equal((await change(partly.it, becomes(target, word, type), '?convertMode=lossy')).status, 200)
      assert.deepEqual(await valuesOf(partly.type, partly.it), values)
    }
    const lines = await field('Lines', 'longtext', ['Blue\n\nred', 'blue'])
    assert.equal((await change(lines.it, becomes(target, word, 'references'))).status, 200)
    assert.deepEqual(await valuesOf(lines.type, lines.it), [`-${two}-${one}-`, `-${two}-`])
    await mustBeWhole()
  })

  it('of lines, as many as a value holds, blank ones not counted; what is lost behind them is told', async () => {
    const target = await makeTable(service, 'Line targets', { word: unique('text') })
    const { word } = target.f
    const [one, two] = await makeAll(target.type, word, ['1', '2'])
    const most = 10_000
    for (const [text, lost] of [
      [`${'1\n\n'.repeat(5_001)}Unknown company`, true],
      [`\n\r\n${'1\r\n\r\n'.repeat(most - 1)}2\n\n`, false],
      [`\n${'1\n\n'.repeat(most)}2`, true],
      [`${'1\n'.repeat(most)}2\n`, true],
      [`${'1\n\n'.repeat(5_001)}2`, false],
    ] as const) {
      const lines = await makeTable(service, `Lines of ${text.length}`, { it: 'longtext' })
      const { it: field } = lines.f
      await makeAll(lines.type, field, [text])
      const foretold = await change(field, becomes(target, word, 'references'), '?dryRun=true')
      assert.equal(foretold.json.meta.lost, lost ? 1 : 0, `${text.length} ${foretold.text.slice(0, 200)}`)
      const safe = await change(field, becomes(target, word, 'references'))
      if (lost) refused(safe, '409 field.would_lose_data /data/attributes/field_type')
      else assert.deepEqual(await valuesOf(lines.type, field), [`-${one}-${two}-`])
    }
  })

  it('within its own table; a unique field stays unique, or is refused', async () => {
    const staff = await makeTable(service, 'Staff', { name: unique('text'), chief: 'text', deputy: unique('text') })
    const { name, chief, deputy } = staff.f
    const ids: string[] = []
    for (const [one, two, three] of [
      ['Ann', '', 'bob'],
      ['Bob', 'ann', ''],
      ['Cy', 'Ann', 'cy'],
    ])
      ids.push(await service.make(staff.type, { [name]: one, [chief]: two, [deputy]: three }))
    assert.equal((await change(chief, becomes(staff, name))).status, 200)
    assert.deepEqual(await valuesOf(staff.type, chief), ['0', ids[0], ids[0]])
    assert.equal((await change(deputy, becomes(staff, name))).status, 200)
    assert.deepEqual(await valuesOf(staff.type, deputy), [ids[1], '0', ids[2]])
    refused(await service.add(staff.type, { [name]: 'Di', [deputy]: ids[1]! }), `409 field.not_unique /data/attributes/${deputy}`)
    const lines = await makeTable(service, 'Staff lines', { one: 'text' })
    await makeAll(lines.type, lines.f.one, ['ann', 'Ann'])
    refused(await change(lines.f.one, { ...becomes(staff, name), unique: true }), '409 field.has_duplicates')
    assert.deepEqual(await valuesOf(lines.type, lines.f.one), ['ann', 'Ann'])
    assert.equal((await change(lines.f.one, becomes(staff, name))).status, 200)
    await mustBeWhole()
  })

  it('is refused where the field names no records, and by who may not change fields', async () => {
    const target = await makeTable(service, 'Refusing', { code: unique('text'), plain: 'text' })
    const other = await makeTable(service, 'Another', { code: unique('text') })
    const table = await makeTable(service, 'Refused', {
      word: 'text',
      link: { field_type: 'reference', reference_table_id: other.id },
      person: 'user',
      file: 'file',
    })
    const { word, link, person, file } = table.f
    await service.make(table.type, { [word]: 'A' })
    const at = '422 field.invalid_value /data/attributes/reference_by'
    for (const query of ['', '?dryRun=true', '?asJob=true']) {
      const refuses = async (field: string, attributes: object) => refused(await change(field, attributes, query), at)
      await refuses(word, becomes(target, target.f.plain))
      await refuses(word, becomes(target, other.f.code))
      await refuses(word, becomes(target, 'f999999'))
      await refuses(word, { ...becomes(target, target.f.code), reference_by: 'Code' })
      await refuses(word, { field_type: 'integer', reference_by: Number(target.f.code.slice(1)) })
      await refuses(target.f.code, becomes(target, target.f.code))
      await refuses(link, becomes(target, target.f.code))
      await refuses(link, { reference_by: Number(other.f.code.slice(1)) })
      await refuses(person, becomes(target, target.f.code))
      await refuses(file, becomes(target, target.f.code))
      refused(
        await change(word, { ...becomes(target, target.f.code), reference_table_id: 999_999 }, query),
        '422 field.invalid_value /data/attributes/reference_table_id',
      )
    }
    refused(
      await service.add('field', { table_id: table.id, field_name: 'New', ...becomes(target, target.f.code) }),
      '400 attribute.read_only /data/attributes/reference_by',
    )
    assert.deepEqual(await valuesOf(table.type, word), ['A'])
    const group = Number(await service.make('group', { group_name: 'Clerks' }))
    await service.make('access', { table_id: table.id, group_id: group, read: true, update: true })
    const token = await service.tokenOf(group)
    for (const query of ['', '?dryRun=true', '?asJob=true'])
      for (const by of [target.f.code, 'f999999']) refused(await change(word, becomes(target, by), query, token), '403 access.denied')
    assert.equal((await change(word, { ...becomes(target, target.f.code), reference_by: null }, '?dryRun=true')).json.meta.lost, 1)
  })
})
