import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { runJobs, type JobRunner } from '../../../src/jobs/run-jobs.ts'
import { limits } from '../../../src/limits.ts'
import { sweepFiles } from '../../../src/store/records/files.ts'
import { writeXlsx } from '../../../src/transfer/write-xlsx.ts'
import { httpImports } from '../../support/http-imports.ts'
import { makeTable, refused, type Table } from '../../support/scene.ts'
import { startService, type Answer, type Service } from '../../support/service.ts'

type Values = Readonly<Record<string, unknown>>

describe('imports over HTTP', () => {
  let service: Service
  let runner: JobRunner
  let imports: ReturnType<typeof httpImports>
  let companies: Table
  let things: Table
  before(async () => {
    service = await startService()
    runner = runJobs(service.store)
    imports = httpImports(service)
    companies = await makeTable(service, 'Companies', {
      Code: { field_type: 'text', unique: true },
      Secret: { field_type: 'text', unique: true },
    })
    for (const code of ['A', 'B'])
      await service.make(companies.type, { [companies.f['Code']!]: code, [companies.f['Secret']!]: `${code}!` })
    things = await makeTable(service, 'Things', {
      Name: { field_type: 'text', unique: true },
      Since: 'date',
      Price: 'decimal',
      Company: { field_type: 'reference', reference_table_id: companies.id },
    })
  })
  after(async () => {
    await runner.close()
    await service.close()
  })

  const f = (name: string): string => things.f[name]!
  const made = (bytes: string | Uint8Array, attributes: Values = { table_id: things.id }, token?: string) =>
    imports.made(bytes, attributes, token)
  const total = async (table: Table) => (await service.get(`${table.type}?page[limit]=1`)).json.meta.total as number
  async function userWith(rights: Values, wish: Parameters<Service['tokenOf']>[1] = {}, more: readonly Values[] = []): Promise<string> {
    const group = Number(await service.make('group', { group_name: `g${Math.random()}` }))
    await service.make('access', { group_id: group, table_id: things.id, ...rights })
    for (const one of more) await service.make('access', { group_id: group, ...one })
    return service.tokenOf(group, wish)
  }

  it('go through all steps: file, preview, mapping, dry run, run, errors, undo', async () => {
    const id = await made(
      'name,Since,Price,Firm\none,31.12.2024,"1,50",A\n=two(),01.02.2024,"2,00",B\nthree,soon,"3,00",A\nfour,05.06.2024,"4,00",Z\n',
    )
    const seen = (await imports.preview(id)).json.meta
    assert.deepEqual(
      [seen.format, seen.encoding, seen.delimiter, seen.sheets, seen.header],
      ['csv', 'utf-8', ',', [], ['name', 'Since', 'Price', 'Firm']],
    )
    assert.deepEqual([typeof seen.file_name, seen.table_name], ['string', ''])
    assert.deepEqual(seen.rows[1], { line: 3, values: ['=two()', '01.02.2024', '2,00', 'B'] })
    assert.deepEqual(seen.columns, [
      { header: 'name', field: f('Name'), field_name: 'Name' },
      { header: 'Since', field: f('Since'), field_name: 'Since', date_format: 'DD.MM.YYYY' },
      { header: 'Price', field: f('Price'), field_name: 'Price', decimal: ',' },
      { header: 'Firm', skip: true },
    ])
    const columns = [
      null,
      { date_format: 'DD.MM.YYYY' },
      null,
      { field: f('Company'), reference: { table_id: companies.id, field: 'Code' } },
    ]
    assert.equal((await imports.map(id, { columns })).status, 200)
    const before_ = await total(things)
    const tried = await imports.ended(await imports.run(id, '?dryRun=true'))
    assert.deepEqual(
      [tried.state, tried.result],
      ['done', { batch_id: null, table_id: things.id, read: 4, imported: 2, updated: 0, bad: 2, incomplete: 0, listed: 2, notes: [] }],
    )
    assert.equal(await total(things), before_)
    const listed = [
      'line,column,reason,name,Since,Price,Firm\n',
      `4,Since,"'soon' is not a date.",three,soon,"3,00",A\n`,
      `5,Firm,No record has 'Z' in Code.,four,05.06.2024,"4,00",Z\n`,
    ]
    assert.equal((await imports.errors(tried.id)).split('\n').length, listed.length + 1, await imports.errors(tried.id))
    assert.match(
      await imports.errors(tried.id),
      /^line,column,reason,name,Since,Price,Firm\n4,Since,.*,three,soon,"3,00",A\n5,Firm,.*,four,05\.06\.2024,"4,00",Z\n$/,
    )
    assert.equal((await service.get(`job/${id}`)).json.data.attributes.state, 'draft')
    const done = await imports.ended(await imports.run(id))
    assert.deepEqual([done.id, done.state, done.result.imported, done.result.bad, done.done], [id, 'done', 2, 2, done.total])
    assert.equal(done.result.batch_id, done.batch_id)
    assert.equal(await total(things), before_ + 2)
    const found = await service.get(`${things.type}?filter=${encodeURIComponent(`eq(${f('Name')},'=two()')`)}`)
    const { attributes } = found.json.data[0]
    assert.deepEqual([attributes[f('Since')], attributes[f('Price')], attributes[f('Company')]], ['2024-02-01', '2.00', '2'])
    assert.equal(await imports.errors(id), await imports.errors(tried.id))
    assert.equal((await service.call('POST', `batch/${done.batch_id}/undo`)).status, 200)
    assert.equal(await total(things), before_)
    assert.deepEqual([tried.is_trial, done.is_trial], [true, false])
    const trials = (await service.get('job?filter=eq(is_trial,1)')).json.data
    assert.deepEqual([trials[0].id, trials.length], [tried.id, 1])
    refused(await imports.run(id), '409 job.not_draft')
    refused(await imports.put(id, 'a\n'), '409 job.not_draft')
    refused(await imports.map(id, {}), '409 job.not_draft')
  })

  it('that were only tried say so, also while they wait and where each line was refused', async () => {
    const id = await made('Name,Since\none,soon\n', { table_id: things.id })
    const trial = await imports.run(id, '?dryRun=true')
    const { attributes } = (await service.get(`job/${trial.json.data.id}`)).json.data
    assert.equal(attributes.is_trial, true)
    const tried = await imports.ended(trial)
    assert.deepEqual([tried.is_trial, tried.result.imported, tried.result.bad, tried.result.table_id], [true, 0, 1, things.id])
    assert.equal((await service.get(`job/${id}`)).json.data.attributes.is_trial, false)
  })

  it('name several records in a column by a unique field, and refuse what is not clear', async () => {
    const firms = await makeTable(service, 'Firms', { Called: { field_type: 'text', unique: true } })
    for (const name of ['Acme', 'Beta, Inc.', 'Beta', 'Gamma', 'Beta, Gamma'])
      await service.make(firms.type, { [firms.f['Called']!]: name })
    const deals = await makeTable(service, 'Deals', { Name: 'text', Firms: { field_type: 'references', reference_table_id: firms.id } })
    const lines = ['one,acme', 'two,"Acme, GAMMA"', 'three,"Beta, Inc.; Acme;Acme"', 'four,', 'five,"Acme, Nobody"', 'six,"Beta, Gamma"', 'seven,Acme;', 'eight,"Gamma, "', 'nine,"Acme\n"', 'ten,;'] // prettier-ignore
    const id = await made(`Name,Firms\n${lines.join('\n')}\n`, { table_id: deals.id })
    const columns = [null, { field: deals.f['Firms'], reference: { table_id: firms.id, field: 'Called' } }]
    assert.equal((await imports.map(id, { columns })).status, 200)
    const tried = await imports.ended(await imports.run(id, '?dryRun=true'))
    assert.deepEqual([tried.result.imported, tried.result.bad], [7, 3])
    const done = await imports.ended(await imports.run(id))
    assert.deepEqual([done.state, done.result.imported, done.result.bad], ['done', 7, 3], JSON.stringify(done))
    const held = (await service.get(`${deals.type}?sort=id`)).json.data.map(
      ({ attributes }: Answer['json']) => attributes[deals.f['Firms']!],
    )
    // A separator at the end parts nothing.
    assert.deepEqual(held, ['-1-', '-1-4-', '-2-1-', '', '-1-', '-4-', '-1-'])
    assert.match(
      await imports.errors(id),
      /6,Firms,No record has 'Nobody' in Called\.,.*\n7,Firms,"'Beta, Gamma' is one record by Called, and several where its commas part them\.",/,
    )
  })

  it('name people by name, login or address, where exactly one fits', async () => {
    const person = async (login: string, fio: string, e_mail = '', more: Values = {}) =>
      Number(await service.make('user', { login, fio, e_mail, group_id: 2, password: 'correct horse', ...more }))
    const vera = await person('vera', 'Vera Ivanova', 'vera@example.com')
    const boris = await person('boris', 'Борис Ёлкин')
    await person('boris2', 'Anna Smith')
    await person('anna', 'anna smith')
    const comma = await person('comma', 'Smith, John')
    await person('digits', String(vera))
    await person('gone', 'Nina Away', '', { arc: 1 })
    const tasks = await makeTable(service, 'Tasks', { Name: 'text', Owner: 'user', Team: 'users' })
    const lines = [
      'name,vera ivanova,',
      'address,VERA@example.com,"vera, boris"',
      'folded,борис елкин,"Smith, John"',
      `number,#${vera},"#${vera} ${boris}"`,
      `sent,${boris},-${boris}-${vera}-`,
      'none,0,',
      'nobody,nobody,',
      'several,Anna Smith,',
      'archived,Nina Away,',
      `either,${vera},`,
      'part,,"vera, nobody"',
      'unknown,4711,',
    ]
    const id = await made(`Name,Owner,Team\n${lines.join('\n')}\n`, { table_id: tasks.id })
    const tried = await imports.ended(await imports.run(id, '?dryRun=true'))
    assert.deepEqual([tried.result.imported, tried.result.bad], [6, 6], await imports.errors(tried.id))
    const done = await imports.ended(await imports.run(id))
    assert.deepEqual([done.state, done.result.imported, done.result.bad], ['done', 6, 6], JSON.stringify(done))
    const { Owner = '', Team = '' } = tasks.f
    const held = (await service.get(`${tasks.type}?sort=id`)).json.data.map(({ attributes }: Answer['json']) => [
      attributes[Owner],
      attributes[Team],
    ])
    assert.deepEqual(held, [
      [`${vera}`, ''],
      [`${vera}`, `-${vera}-${boris}-`],
      [`${boris}`, `-${comma}-`],
      [`${vera}`, `-${vera}-${boris}-`],
      [`${boris}`, `-${boris}-${vera}-`],
      ['0', ''],
    ])
    const faults = (await imports.errors(id)).trim().split('\n').slice(1).map((line) => line.split(',').slice(0, 3).join()) // prettier-ignore
    assert.deepEqual(faults.slice(0, 4), [
      "8,Owner,\"No person has 'nobody' as name",
      "9,Owner,'Anna Smith' names several people.",
      "10,Owner,\"No person has 'Nina Away' as name",
      `11,Owner,'${vera}' is the number of one person and the name of another.`,
    ])
    assert.match(faults[4]!, /^12,Team,"No person has 'nobody' as name/)
    assert.match(faults[5]!, /^13,Owner,.*4711/)
    // A field that the import makes, tried and then made.
    const fresh = await made('Who\nvera\nnobody\n', { input: { table_name: 'Whose', columns: [{ create: { type: 'user' } }] } })
    assert.deepEqual((await imports.ended(await imports.run(fresh, '?dryRun=true'))).result.bad, 1)
    const made_ = await imports.ended(await imports.run(fresh))
    assert.deepEqual([made_.result.imported, made_.result.bad], [1, 1])
    // Who sees nobody but themselves names nobody else.
    const token = await userWith({ read: true }, {}, [{ table_id: tasks.id, read: true, create: true, bed: true }])
    const own = await made('Name,Owner\nx,vera\n', { table_id: tasks.id }, token)
    assert.deepEqual((await imports.ended(await imports.run(own, '', token), token)).result.bad, 1)
  })

  it('make a field of several references by a unique field, also of the table itself', async () => {
    const id = await made('Whose,Of\nx,\ny,"x, z"\nz,y\nw,"x, q"\n', { input: { table_name: 'Shared' } })
    const of = (reference: Values) => [{ create: { unique: true } }, { create: { type: 'references' }, reference }]
    assert.equal((await imports.map(id, { columns: of({ table_id: companies.id, field: 'Code' }) })).status, 200)
    assert.deepEqual((await imports.ended(await imports.run(id, '?dryRun=true'))).result.bad, 3)
    assert.equal((await imports.map(id, { columns: of({ field: 'Whose' }) })).status, 200)
    const done = await imports.ended(await imports.run(id))
    assert.deepEqual([done.state, done.result.imported, done.result.incomplete], ['done', 4, 1], JSON.stringify(done))
    const { data } = (await service.get(`data${done.result.table_id}?sort=id`)).json
    assert.deepEqual(data.map(({ attributes }: Answer['json']) => Object.values(attributes).at(-1)), ['', '-1-3-', '-2-', '']) // prettier-ignore
    assert.match(await imports.errors(id), /No record has 'q' in Whose; the line was imported without it\./)
  })

  it('make tables and fields, as the command line does, by administrators', async () => {
    const id = await made('Code,Boss,Amount\nx,,1\ny,x,2\n', { input: { table_name: 'Made', file_name: 'made.csv' } })
    const named = async (name: string) => assert.equal((await service.get(`job?filter=eq(file_name,'${name}')`)).json.data[0].id, id)
    await named('made.csv')
    const columns = [{ create: { name: 'Key', unique: true } }, { reference: { field: 'Key' } }, { create: { type: 'decimal', scale: 3 } }]
    assert.equal((await imports.map(id, { columns })).status, 200)
    const shown = (await imports.preview(id)).json.meta.columns
    assert.deepEqual(shown[0], { header: 'Code', create: { name: 'Key', type: 'text', unique: true }, guessed: true })
    assert.deepEqual(shown[1], {
      header: 'Boss',
      create: { name: 'Boss', type: 'reference', unique: false },
      guessed: false,
      reference: { field: 'Key' },
    })
    const tried = await imports.ended(await imports.run(id, '?dryRun=true'))
    assert.deepEqual([tried.state, tried.result.imported], ['done', 2])
    const done = await imports.ended(await imports.run(id))
    assert.deepEqual([done.state, done.result.imported, done.result.incomplete], ['done', 2, 0], JSON.stringify(done))
    const table = (await service.get(`table?filter=${encodeURIComponent("eq(table_name,'Made')")}`)).json.data[0]
    const records = (await service.get(`data${table.id}?sort=id`)).json.data.map(({ attributes }: Answer['json']) =>
      Object.values(attributes).slice(-3),
    )
    assert.deepEqual(records, [
      ['x', '0', '1.000'],
      ['y', '1', '2.000'],
    ])
  })

  it('name what is wrong with a mapping by its place, and change nothing', async () => {
    const id = await made('a,b\n1,2\n')
    const wrong: readonly (readonly [readonly unknown[], string])[] = [
      [[null, { field: 'nowhere' }], '422 import.unfit /data/attributes/input/columns/1/field'],
      [
        [null, { field: f('Company'), reference: { table_id: companies.id, field: 'nothing' } }],
        '422 import.unfit /data/attributes/input/columns/1/reference',
      ],
      [[{ create: { type: 'colour' } }], '422 import.unfit /data/attributes/input/columns/0/create/type'],
      [[{ date_format: 'soon' }], '422 import.unfit /data/attributes/input/columns/0/date_format'],
      [[null, null, null], '422 import.unfit /data/attributes/input/columns'],
      [[{ skip: 1 }], '422 field.invalid_value /data/attributes/input/columns/0/skip'],
      [[{ colour: 1 }], '422 field.invalid_value /data/attributes/input/columns/0/colour'],
      [[null, { decimal: ';' }], '422 field.invalid_value /data/attributes/input/columns/1/decimal'],
    ]
    for (const [columns, expected] of wrong) refused(await imports.map(id, { columns }), expected)
    assert.deepEqual((await imports.preview(id)).json.meta.columns, [
      { header: 'a', skip: true },
      { header: 'b', skip: true },
    ])
    for (const input of [{}, { table_name: 'Both' }].slice(1))
      refused(await imports.draft({ table_id: things.id, input }), '422 field.invalid_value /data/attributes/input/table_name')
    refused(await imports.preview((await imports.draft({ table_id: things.id })).json.data.id), '409 import.no_file')
    refused(await imports.run((await imports.draft({ table_id: things.id })).json.data.id), '409 import.no_file')
  })

  it('are refused where nothing of the file would be in the records', async () => {
    const before_ = await total(things)
    const id = await made('Foo,Bar\n1,2\n')
    assert.deepEqual((await imports.preview(id)).json.meta.columns, [
      { header: 'Foo', skip: true },
      { header: 'Bar', skip: true },
    ])
    for (const query of ['?dryRun=true', '']) refused(await imports.run(id, query), '422 import.unfit /data/attributes/input/columns')
    assert.equal(await total(things), before_)
    assert.equal((await imports.map(id, { columns: [null, { field: 'Name' }] })).status, 200)
    const done = await imports.ended(await imports.run(id))
    assert.deepEqual([done.state, done.result.imported], ['done', 1])
  })

  it('do no more than the requests of the same user would', async () => {
    const few = await userWith(
      {
        create: true,
        read: true,
        bed: true,
        fields: { [f('Price')]: 'hidden', [f('Since')]: 'read_only' },
        write_filter: `starts_with(${f('Name')},'my')`,
      },
      {},
      [
        {
          table_id: companies.id,
          read: true,
          read_filter: `eq(${companies.f['Code']},'A')`,
          fields: { [companies.f['Secret']!]: 'hidden' },
        },
      ],
    )
    const id = await made(
      'Name,Price,Since,user_id,Company\nmy one,1,2024-01-01,1,A\nyours,1,2024-01-01,1,A\nmy two,2,2024-01-01,1,B\n',
      undefined,
      few,
    )
    assert.deepEqual(
      (await imports.preview(id, few)).json.meta.columns.map(({ field = 'skip' }: Answer['json']) => field),
      [f('Name'), 'skip', 'skip', 'skip', f('Company')],
    )
    const place = '/data/attributes/input/columns/0'
    for (const field of ['Price', f('Price'), 'Since', 'user_id', 'add_time'])
      refused(await imports.map(id, { columns: [{ field }] }, few), `422 import.unfit ${place}/field`)
    const byKey = (field: string) => ({
      columns: [null, null, null, null, { field: f('Company'), reference: { table_id: companies.id, field } }],
    })
    refused(await imports.map(id, byKey('Secret'), few), '422 import.unfit /data/attributes/input/columns/4/reference')
    refused(await imports.map(id, { columns: [{ create: { name: 'New' } }] }, few), '403 access.denied')
    refused(await imports.draft({ input: { table_name: 'New' } }, few), '403 access.denied')
    assert.equal((await imports.map(id, byKey('Code'), few)).status, 200)
    const done = await imports.ended(await imports.run(id, '', few), few)
    assert.deepEqual([done.state, done.result.imported, done.result.bad], ['done', 1, 2], JSON.stringify(done))
    assert.match(await imports.errors(id, few), /\n3,,You may not .*\n4,Company,No record has 'B' in Code\.,/)
    const mine = (await service.get(`${things.type}?filter=${encodeURIComponent(`eq(${f('Name')},'my one')`)}`)).json.data[0].attributes
    assert.deepEqual([mine[f('Price')], mine[f('Since')], mine.user_id === '1'], ['0.00', '0000-00-00', false])
  })

  it('need the rights to create and to write in bulk; those of others are missing', async () => {
    for (const rights of [
      { create: true, read: true },
      { bed: true, read: true },
    ])
      refused(await imports.draft({ table_id: things.id }, await userWith(rights)), '403 access.denied')
    const mine = await userWith({ create: true, read: true, bed: true })
    const other = await userWith({ create: true, read: true, bed: true })
    const both = [{ table_id: companies.id, read: true }]
    const elsewhere = await userWith({ create: true, read: true, bed: true }, { tables: [companies.id] }, both)
    refused(await imports.draft({ table_id: things.id }, elsewhere), '404 table.not_found')
    const id = await made('Name\nx1\n', undefined, mine)
    for (const token of [other, elsewhere]) {
      refused(await imports.put(id, 'a\n', token), '404 resource.not_found')
      for (const path of ['preview', 'errors']) refused(await service.get(`job/${id}/${path}`, token), '404 resource.not_found')
      refused(await imports.map(id, {}, token), '404 resource.not_found')
      refused(await imports.run(id, '', token), '404 resource.not_found')
    }
  })

  it('refuse files that are no tables, and read those that are written in other ways', async () => {
    const bomb = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(1_000, 7)])
    const bad: readonly (readonly [string | Uint8Array, Values, RegExp])[] = [
      ['', {}, /no header line/],
      [bomb, {}, /not a workbook/],
      ['x'.repeat(10_000_000), {}, /Line 1 is longer/],
      [Buffer.from([0x61, 0x0a, 0xff, 0xfe, 0x0a]), { encoding: 'utf-8' }, /not written in utf-8: it has another encoding/],
      ['a\n1\n', { encoding: 'klingon' }, /There is no encoding/],
      ['a\n1\n', { sheet: 'One' }, /this file is none/],
    ]
    for (const [bytes, input, expected] of bad) {
      const id = await made(bytes, { table_id: things.id, input })
      for (const answer of [await imports.preview(id), await imports.run(id)]) {
        assert.ok(['422 import.unreadable', '422 import.unfit'].includes(`${answer.status} ${answer.json.errors[0].code}`), answer.text)
        assert.match(answer.json.errors[0].detail, expected)
        assert.doesNotMatch(answer.text, /--/)
      }
    }
    const one = await made('Name', { table_id: things.id })
    assert.deepEqual((await imports.preview(one)).json.meta.rows, [])
    assert.equal((await imports.ended(await imports.run(one))).result.read, 0)
    const nul = await imports.ended(await imports.run(await made('Name\na\0b\n', { table_id: things.id, input: { encoding: 'utf-8' } })))
    assert.deepEqual([nul.result.imported, nul.result.bad], [0, 1])
    assert.match(await imports.errors(nul.id), /NUL/)
    const other = await made(Buffer.from('Name;Price\n\xcf\xf0\xe8\xe2\xe5\xf2;1,5\n', 'latin1'))
    const { encoding, delimiter, rows } = (await imports.preview(other)).json.meta
    assert.deepEqual([encoding, delimiter, rows[0].values], ['windows-1251', ';', ['Привет', '1,5']])
  })

  it('read workbooks, whose first rows are previewed, and many rows in a thread', async () => {
    const rows = Array.from({ length: 1_300 }, (_, i) => [`book ${i}`, i === 1_250 ? 'much' : String(i)])
    const sheets = async function* () {
      yield rows
    }
    const bytes = await buffer(
      writeXlsx(
        ['Name', 'Price'].map((header) => ({ header, holds: 'text' as const })),
        sheets(),
      ),
    )
    const id = await made(bytes)
    const { format, sheets: names, rows: first } = (await imports.preview(id)).json.meta
    assert.deepEqual([format, names.length, first.length, first[0]], ['xlsx', 1, 50, { line: 2, values: ['book 0', '0'] }])
    const tried = await imports.ended(await imports.run(id, '?dryRun=true'))
    assert.deepEqual([tried.result.imported, tried.result.bad, tried.done], [1_299, 1, 1_300], JSON.stringify(tried))
    const done = await imports.ended(await imports.run(id))
    assert.deepEqual([done.state, done.result.imported, done.result.bad, done.done, done.total], ['done', 1_299, 1, 1_300, 1_300])
    assert.match(await imports.errors(id), /^line,column,reason,Name,Price\n1252,Price,.*,book 1250,much\n$/)
  })

  it('keep their file while they are there', async () => {
    const id = await made('Name\nkept\n')
    service.clock.now += 7_200_000
    await sweepFiles(service.store)
    assert.equal((await imports.preview(id)).status, 200)
  })

  it('refuse a preview where limits.importPreviews are read', async () => {
    const id = await made('Name\nx\n')
    const { most } = limits.importPreviews
    Object.assign(limits.importPreviews, { most: 0 })
    try {
      refused(await imports.preview(id), '503 server.busy')
    } finally {
      Object.assign(limits.importPreviews, { most })
    }
  })

  it('list no more refused lines than limits.importErrors, and count the others', async () => {
    const { most } = limits.importErrors
    Object.assign(limits.importErrors, { most: 10 })
    try {
      const done = await imports.ended(await imports.run(await made('Name,Since\nx,soon\ny,soon\n')))
      assert.deepEqual([done.result.bad, done.result.listed, await imports.errors(done.id)], [2, 0, ''])
    } finally {
      Object.assign(limits.importErrors, { most })
    }
  })
})
