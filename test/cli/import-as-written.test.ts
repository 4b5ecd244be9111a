import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { importFile } from '../../src/cli/commands/import.ts'
import { UsageError } from '../../src/cli/explain/explain.ts'
import type { Output } from '../../src/cli/terminal/output.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { makeTable } from '../support/scene.ts'
import { startService, type Service } from '../support/service.ts'

/* Files as people and other programs write them; and text fields with such values, when they get another type. */

type Options = Readonly<Record<string, string | readonly string[] | true>>

describe('an import of values as people write them', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  async function run(table: string, bytes: string | Uint8Array, options: Options = {}) {
    let [printed, notes, errors] = ['', '', '']
    const output = {
      line: async (text: string) => void (printed += `${text}\n`),
      note: async (text: string) => void (notes += `${text}\n`),
      progress: async () => {},
      append: async (_: string, text: string) => void (errors += text),
    } as unknown as Output
    const input = Readable.from([Buffer.from(bytes)])
    const args = { table, file: '-' }
    const context = {
      store: service.store,
      by: operator,
      directory: '',
      args,
      options: { null: 'NULL', ...options },
      input,
      inputSize: 0,
      output,
    }
    return { code: await importFile.run(context), printed, notes, errors }
  }
  /** The values of all records, without system attributes. */
  async function records(table: string): Promise<string[][]> {
    const { id } = (await service.get(`table?filter=eq(table_name,'${table}')`)).json.data[0]
    return (await service.get(`data${id}?page[limit]=50`)).json.data.map(({ attributes }: { attributes: object }) =>
      Object.values(attributes).slice(3),
    )
  }
  const created = (name: string, bytes: string | Uint8Array, options: Options = {}) => run(name, bytes, { ...options, create: true })

  it('guesses dates, numbers, and yes and no, shows how, and reads them', async () => {
    const file = 'Born;Paid;Sum;Active;Group\n31.12.1990;12/31/2024 9:05 PM;1 234,56;да;555 123\n1.2.2000;1/2/2025;-0,5;Нет;555 124\n'
    const { code, notes } = await created('People', file)
    assert.equal(code, 0, notes)
    for (const line of [
      'Born: new field Born, date, written as DD.MM.YYYY',
      'Paid: new field Paid, datetime, written as MM/DD/YYYY',
      'Sum: new field Sum, decimal with 2 digits, written with a decimal comma',
      'Active: new field Active, boolean, written as yes and no',
      'Group: new field Group, text\n',
    ])
      assert.ok(notes.includes(line), `${line}\n${notes}`)
    assert.deepEqual(await records('People'), [
      ['1990-12-31', '2024-12-31 21:05:00', '1234.56', '1', '555 123'],
      ['2000-02-01', '2025-01-02 00:00:00', '-0.50', '0', '555 124'],
    ])
  })

  it('says what can be read in two ways, and takes the word of the options', async () => {
    const file = 'When,Sum\n01/02/2024,"1,234"\n03/04/2024,"5,678"\n'
    const { notes } = await created('Unclear', file, { dryRun: true })
    assert.match(notes, /When: new field When, text; which way its dates/)
    const said = await created('Said', file, { dateFormat: 'DD/MM/YYYY', decimal: '.' })
    assert.equal(said.code, 0, said.notes)
    assert.deepEqual(await records('Said'), [
      ['2024-02-01', '1234'],
      ['2024-04-03', '5678'],
    ])
    for (const [options, says] of [
      [{ dateFormat: 'soon' }, /--date-format takes a pattern such as/],
      [{ decimal: ';' }, /--decimal takes \. or ,/],
    ] as const)
      await assert.rejects(created('Wrong', file, options), (error) => error instanceof UsageError && says.test(error.message))
  })

  it('fits the fields that are there, and refuses a line whose value is written otherwise', async () => {
    await makeTable(service, 'Bills', { Due: 'date', Sum: { field_type: 'decimal', scale: 2 }, Paid: 'boolean' })
    const { code, printed, errors } = await run('Bills', 'Due;Sum;Paid\n05.06.2024;1.000,5;yes\n07.06.2024;7;no\n\n;;\n')
    assert.deepEqual([code, printed, errors], [0, '2 lines read: 2 imported, 0 bad\n', ''])
    const odd = await run('Bills', `Due;Sum;Paid\n${'05.06.2024;1,5;yes\n'.repeat(1_100)}2024;x;maybe\n`)
    assert.match(odd.printed, /1101 lines read: 1100 imported, 1 bad/)
    assert.match(odd.errors, /1102,Due,"?'2024' is not written as/)
    assert.deepEqual((await records('Bills')).slice(0, 3), [
      ['2024-06-05', '1000.50', '1'],
      ['2024-06-07', '7.00', '0'],
      ['2024-06-05', '1.50', '1'],
    ])
  })

  it('a value that is none refuses its own line only, where the field or the type is there already', async () => {
    const lines = 'Due;Sum;Paid\n31.12.2024;1 250,50;да\nsoon;n/a;maybe\n07.06.2024;7;нет\n'
    await makeTable(service, 'Dues', { Due: 'date', Sum: { field_type: 'decimal', scale: 2 }, Paid: 'boolean' })
    const into = await run('Dues', lines)
    const typed = await created('Typed', lines, { type: ['Due=date', 'Sum=decimal', 'Paid=boolean'] })
    for (const [table, { code, printed, errors, notes }] of [
      ['Dues', into],
      ['Typed', typed],
    ] as const) {
      assert.deepEqual([code, printed.split('\n')[0]], [1, '3 lines read: 2 imported, 1 bad'], notes + errors)
      assert.match(errors, /3,Due,.*\n3,Sum,.*\n3,Paid,/)
      assert.deepEqual(await records(table), [
        ['2024-12-31', '1250.50', '1'],
        ['2024-06-07', '7.00', '0'],
      ])
    }
    // Two ways of writing in one column are still no way.
    assert.match((await run('Dues', 'Sum\n"1,5"\n2.25\n')).printed, /2 lines read: 1 imported, 1 bad/)
  })

  it('refuses a file of which nothing would be in the records', async () => {
    await makeTable(service, 'Plain', { Note: 'text' })
    for (const options of [{}, { dryRun: true }] as const)
      await assert.rejects(
        run('Plain', 'Foo;Bar\n1;2\n3;4\n', options),
        (error) => error instanceof UsageError && /No column .* becomes a field.* Foo, Bar\. .*--map column=field/.test(error.message),
      )
    const wide = Array.from({ length: 60 }, (_, i) => `Column ${'x'.repeat(200)}${i}`).join(';')
    await assert.rejects(
      run('Plain', `${wide}\n1\n`),
      (error) => error instanceof UsageError && error.message.length < 3_000 && error.message.includes(', ….'),
    )
    assert.deepEqual(await records('Plain'), [])
    assert.equal((await run('Plain', 'Foo;Bar\n1;2\n', { map: ['Bar=Note'] })).code, 0)
    assert.deepEqual(await records('Plain'), [['2']])
  })

  it('names columns without a name and the second one of a name; columns may be named by their place', async () => {
    const { code, notes } = await created('Odd', 'Name,,Name,,\nOne,a,Two,,\n', { map: ['#2=Note'], type: ['#3=longtext'] })
    assert.equal(code, 0, notes)
    for (const line of [
      'Name: new field Name, text',
      'Column 2: new field Note, text',
      'Name 2: new field Name 2, longtext',
      'Column 4: left out',
    ])
      assert.ok(notes.includes(line), `${line}\n${notes}`)
    assert.deepEqual(await records('Odd'), [['One', 'a', 'Two']])
    await assert.rejects(created('No', 'a,b\n1,2\n', { map: ['#3=c'] }), /The file has no column '#3'/)
  })

  it('notices sep=, UTF-16 and windows-1251', async () => {
    assert.equal((await created('Separated', 'sep=|\r\nA|B\r\n"x;y"|2\r\n')).code, 0)
    assert.deepEqual(await records('Separated'), [['x;y', '2']])
    const utf16 = Buffer.from('\ufeffИмя\tЧисло\r\nЁлкина\t7\r\n', 'utf16le')
    assert.match((await created('Wide', utf16)).notes, /read as utf-16le/)
    assert.deepEqual(await records('Wide'), [['Ёлкина', '7']])
    assert.equal((await created('Swapped', Buffer.from(utf16).swap16())).code, 0)
    assert.deepEqual(await records('Swapped'), [['Ёлкина', '7']])
    const windows = (text: string) =>
      Buffer.from([...text].map((one) => (one >= 'А' && one <= 'я' ? one.charCodeAt(0) - 0x410 + 0xc0 : one.charCodeAt(0))))
    assert.match((await created('Windows', windows('Имя;Город\nАнна;Москва\n'))).notes, /read as windows-1251/)
    assert.deepEqual(await records('Windows'), [['Анна', 'Москва']])
    assert.equal((await created('Western', Buffer.from('Name;Ort\nJosé;Köln\n', 'latin1'))).code, 0)
    assert.deepEqual(await records('Western'), [['José', 'Köln']])
    // An import of many lines reads the file again, in a thread.
    const many = await created('Many', windows(`sep=;\nИмя;Дата\n${'Анна;31.12.2024\n'.repeat(1_500)}`))
    assert.match(many.printed, /1500 lines read: 1500 imported, 0 bad/)
    assert.deepEqual((await records('Many'))[0], ['Анна', '2024-12-31'])
  })

  it('a text field with such values gets another type by the same readers, without loss', async () => {
    const table = await makeTable(service, 'Texts', { day: 'text', sum: 'text', flag: 'text', unclear: 'text' })
    const { day, sum, flag, unclear } = table.f
    const id = await service.make(table.type, { [day]: '31.12.2024', [sum]: '1 234,56', [flag]: 'да', [unclear]: '01/02/2024' })
    const become = (field: string, field_type: string) => service.change('field', field.slice(1), { field_type })
    for (const [field, type] of [
      [day, 'date'],
      [sum, 'decimal'],
      [flag, 'boolean'],
    ] as const)
      assert.equal((await become(field, type)).status, 200, type)
    const { attributes } = (await service.get(`${table.type}/${id}`)).json.data
    assert.deepEqual([attributes[day], attributes[sum], attributes[flag]], ['2024-12-31', '1234.56', '1'])
    assert.equal((await become(unclear, 'date')).status, 409)
  })

  it('what can be read in two ways is read as the other values of the field tell, also those in the trash', async () => {
    const { type, f } = await makeTable(service, 'Columns', { day: 'text', sum: 'text', both: 'text' })
    const [day, sum, both] = [f['day']!, f['sum']!, f['both']!]
    const ids: string[] = []
    for (const [one, two, three] of [
      ['01/02/2024', '1.234', '1.234'],
      ['2024-05-01', '-2.500', '1,5'],
      ['', '', '1.25'],
      ['31/12/2024', '1.234,50', ''],
    ])
      ids.push(await service.make(type, { [day]: one, [sum]: two, [both]: three }))
    assert.equal((await service.remove(`${type}/${ids[3]!}`)).status, 200)
    for (const [field, field_type] of [
      [day, 'date'],
      [sum, 'decimal'],
      [both, 'decimal'],
    ] as const) {
      const answer = await service.change('field', field.slice(1), { field_type, ...(field_type === 'decimal' && { scale: 3 }) })
      assert.equal(answer.status, 200, answer.text)
    }
    const [entry] = (await service.get('trash?filter=' + encodeURIComponent(`eq(item_id,${ids[3]!})`))).json.data
    assert.equal((await service.call('POST', `trash/${entry.id}/restore`)).status, 200)
    assert.deepEqual(
      (await service.get(`${type}?sort=id`)).json.data.map(({ attributes }: { readonly attributes: Record<string, string> }) =>
        [day, sum, both].map((one) => attributes[one]),
      ),
      [
        ['2024-02-01', '1234.000', '1.234'],
        ['2024-05-01', '-2500.000', '1.500'],
        ['0000-00-00', '0.000', '1.250'],
        ['2024-12-31', '1234.500', '0.000'],
      ],
    )
  })
})
