import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { fieldTypes } from '../../../src/fields/index.ts'
import { startService, type Service } from '../../support/service.ts'
import { idsOf, makeTable, refused, type Table } from '../../support/scene.ts'

/* The section Field types of DECISIONS.md: every type with its own examples and refusals, through HTTP and a real column. */

const TYPES =
  'text longtext integer decimal datetime date boolean list multilist reference references user users group file image email phone url autonumber'

describe('field types, as decided', () => {
  let service: Service
  let other: Table

  before(async () => {
    service = await startService()
    other = await makeTable(service, 'Others', { name: 'text' })
    for (let i = 0; i < 7; i++) await service.make(other.type, {})
  })
  after(() => service.close())

  /** A table with one field. */
  async function field(attributes: Readonly<Record<string, unknown>>) {
    const table = await makeTable(service, 'One field', { it: attributes })
    const it = table.f['it']!
    const pointer = `/data/attributes/${it}`
    return {
      ...table,
      it,
      id: it.slice(1),
      add: (value: unknown) => service.add(table.type, { [it]: value }),
      takes: async (sent: unknown, shown: string) => {
        const { status, text, json } = await service.add(table.type, { [it]: sent })
        assert.equal(status, 201, `${JSON.stringify(sent)?.slice(0, 80)}: ${text}`)
        assert.equal(json.data.attributes[it], shown)
        const again = await service.change(table.type, json.data.id, { [it]: shown })
        assert.deepEqual([again.status, again.json.data.attributes[it]], [200, shown])
        assert.equal((await service.get(`${table.type}/${json.data.id}`)).json.data.attributes[it], shown)
        return json.data.id as string
      },
      refuses: async (sent: unknown) => refused(await service.add(table.type, { [it]: sent }), `422 field.invalid_value ${pointer}`),
    }
  }
  const attribute = (answer: { json: { data: { attributes: Record<string, unknown> } } }, name: string) => answer.json.data.attributes[name]
  const wrong = (name: string) => `422 field.invalid_value /data/attributes/${name}`

  it('there are these types, by their wire names', async () => {
    const answer = await service.add('field', { table_id: other.id, field_name: 'X', field_type: 'formula' })
    refused(answer, wrong('field_type'))
    assert.match(answer.json.errors[0].detail, new RegExp(`Known: ${TYPES.replaceAll(' ', ', ')}\\.`))
  })

  for (const type of fieldTypes.filter(({ target, files, assigned }) => !target && !files && !assigned)) {
    it(`${type.name} takes what it says it takes, and refuses the rest`, async () => {
      const options = type.exampleSettings?.options?.filter(({ removed }) => !removed).map(({ label }) => label)
      const max_length = type.exampleSettings?.maxLength
      const one = await field({ field_type: type.name, ...(options && { options }), ...(max_length && { max_length }) })
      for (const [sent, shown] of type.examples) await one.takes(sent, shown)
      for (const sent of type.rejects) await one.refuses(sent)
      for (const sent of ['a\0b', '\0', 'half \ud800']) await one.refuses(sent)
    })
  }

  it('reference takes the id of a record of its table, 0 or nothing for none', async () => {
    const one = await field({ field_type: 'reference', reference_table_id: other.id })
    for (const [sent, shown] of [
      ['3', '3'],
      [3, '3'],
      ['007', '7'],
      ['0', '0'],
      ['', '0'],
      [null, '0'],
    ] as const)
      await one.takes(sent, shown)
    for (const sent of ['8', '-1', '1.5', 'Anna', '1e0', ' 1', '-1-2-', '9007199254740993', ['1', '2']]) await one.refuses(sent)
  })

  it('references takes several ids, with hyphens around or as an array, in the order sent, and one id bare', async () => {
    const one = await field({ field_type: 'references', reference_table_id: other.id })
    for (const [sent, shown] of [
      ['-4-7-', '-4-7-'],
      ['-7-4-', '-7-4-'],
      ['-4-7-4-', '-4-7-'],
      ['5', '-5-'],
      [5, '-5-'],
      [['4', 7], '-4-7-'],
      [[], ''],
      ['', ''],
    ] as const)
      await one.takes(sent, shown)
    for (const sent of ['-', '--', '0', '-4-8-', '4-7', '4,7', '-4--7-', '-a-', ['x']]) await one.refuses(sent)
  })

  it('user, users and group name users and groups that exist', async () => {
    const [user, users, group] = [
      await field({ field_type: 'user' }),
      await field({ field_type: 'users' }),
      await field({ field_type: 'group' }),
    ]
    await user.takes('1', '1')
    await users.takes('-1-', '-1-')
    await group.takes('3', '3')
    for (const one of [user, users, group]) await one.refuses('99')
  })

  it('deleting a referenced record leaves the reference readable as the id', async () => {
    const one = await field({ field_type: 'reference', reference_table_id: other.id })
    const several = await field({ field_type: 'references', reference_table_id: other.id })
    const gone = await service.make(other.type, {})
    const [first, second] = [await one.takes(gone, gone), await several.takes(`-1-${gone}-`, `-1-${gone}-`)]
    await service.remove(`${other.type}/${gone}`)
    assert.equal(attribute(await service.get(`${one.type}/${first}`), one.it), gone)
    assert.equal(attribute(await service.get(`${several.type}/${second}`), several.it), `-1-${gone}-`)
    assert.deepEqual(idsOf(await service.get(`${one.type}?filter=eq(${one.it},${gone})`)), [first])
    await one.refuses(gone)
  })

  it('autonumber counts up, whatever is deleted, and is not written', async () => {
    const one = await field({ field_type: 'autonumber' })
    const make = async () => attribute(await service.add(one.type, {}), one.it)
    assert.deepEqual([await make(), await make(), await make()], ['1', '2', '3'])
    await service.remove(`${one.type}/3`)
    assert.equal(await make(), '4')
    refused(await one.add('9'), `400 attribute.read_only /data/attributes/${one.it}`)
    assert.equal((await service.change(one.type, '1', { [one.it]: '1' })).status, 200)
  })

  it('date-times with a zone offset are converted to the zone of the installation', async () => {
    const one = await field({ field_type: 'datetime' })
    await one.takes('2024-05-01T01:30:15+03:00', '2024-04-30 22:30:15')
    assert.deepEqual(idsOf(await service.get(`${one.type}?filter=eq(${one.it},'2024-05-01T00:30:15%2B02:00')`)), ['1'])
  })

  it('a date with no such day, and the years 0 and 10000, are 422', async () => {
    for (const type of ['date', 'datetime']) {
      const one = await field({ field_type: type })
      for (const sent of ['2024-02-30', '2023-02-29', '0000-05-01', '10000-01-01', '2024-00-10']) await one.refuses(sent)
    }
  })

  it('text takes no CR or LF, longtext keeps them', async () => {
    const [line, long] = [await field({ field_type: 'text' }), await field({ field_type: 'longtext' })]
    for (const sent of ['a\nb', 'a\rb', 'a\r\nb', '\n']) {
      await line.refuses(sent)
      await long.takes(sent, sent)
    }
  })

  it('text has at most 255 characters, counted as code points', async () => {
    const one = await field({ field_type: 'text' })
    for (const letter of ['x', 'я', '𝄞']) {
      await one.takes(letter.repeat(255), letter.repeat(255))
      await one.refuses(letter.repeat(256))
    }
  })

  it('phone keeps what was typed and is compared by its digits', async () => {
    const one = await field({ field_type: 'phone', unique: true })
    const id = await one.takes('+7 (900) 123-45-67', '+7 (900) 123-45-67')
    for (const filter of [
      "eq(f,'79001234567')",
      "eq(f,'7 900 123 45 67')",
      "contains(f,'123-45')",
      "starts_with(f,'+7 900')",
      "ends_with(f,'4567')",
      "in(f,'7-900-1234567')",
    ])
      assert.deepEqual(
        idsOf(await service.get(`${one.type}?filter=${encodeURIComponent(filter.replace('f,', `${one.it},`))}`)),
        [id],
        filter,
      )
    refused(await one.add('7.900.1234567'), `409 field.not_unique /data/attributes/${one.it}`)
  })

  it('a renamed option is renamed in the records, by its stable id', async () => {
    for (const type of ['list', 'multilist']) {
      const one = await field({ field_type: type, options: ['New', 'Won'], default_value: 'Won' })
      const id = await one.takes('Won', 'Won')
      const { options } = (await service.get(`field/${one.id}`)).json.data.attributes
      await service.change('field', one.id, { options: [options[0], { id: options[1].id, label: 'Gained' }] })
      assert.equal(attribute(await service.get(`${one.type}/${id}`), one.it), 'Gained')
      assert.deepEqual(idsOf(await service.get(`${one.type}?filter=eq(${one.it},'gained')`)), [id])
      assert.equal(attribute(await service.add(one.type, {}), one.it), 'Gained', 'the default goes with it')
      await one.refuses('Won')
    }
  })

  it('an option that is removed keeps showing and can be filtered by, and is refused in new values', async () => {
    const one = await field({ field_type: 'list', options: ['New', 'Won'] })
    const id = await one.takes('Won', 'Won')
    await service.change('field', one.id, { options: ['New'] })
    assert.equal(attribute(await service.get(`${one.type}/${id}`), one.it), 'Won')
    assert.deepEqual(idsOf(await service.get(`${one.type}?filter=eq(${one.it},'Won')`)), [id])
    await one.refuses('Won')
  })

  it('labels with NUL, lone surrogates, CR or LF are 422', async () => {
    for (const label of ['a\0b', 'half \udc00', 'a\nb', 'a\rb', '', 'x'.repeat(256)]) {
      const answer = await service.add('field', { table_id: other.id, field_name: 'L', field_type: 'list', options: ['fine', label] })
      refused(answer, wrong('options/1'))
    }
  })

  describe('settings of a field', () => {
    it('required, unique, default_value, sequence_number, hint and section are common to all', async () => {
      const one = await field({
        field_type: 'text',
        required: true,
        default_value: 'x',
        sequence_number: 9,
        hint: 'A hint',
        section: 'Terms',
      })
      const { attributes } = (await service.get(`field/${one.id}`)).json.data
      assert.deepEqual(
        [attributes.required, attributes.unique, attributes.default_value, attributes.sequence_number, attributes.hint, attributes.section],
        [true, false, 'x', 9, 'A hint', 'Terms'],
      )
    })

    it('default_value is the value of a field not sent on create; sent empty it is empty', async () => {
      for (const [type, value, shown, empty] of [
        ['text', 'x', 'x', ''],
        ['integer', '5', '5', '0'],
        ['decimal', '5', '5.00', '0.00'],
        ['boolean', '1', '1', '0'],
        ['date', '2024-05-01', '2024-05-01', '0000-00-00'],
      ] as const) {
        const one = await field({ field_type: type, default_value: value })
        assert.equal(attribute(await service.add(one.type, {}), one.it), shown)
        await one.takes('', empty)
      }
    })

    it('default_value must fit the field', async () => {
      for (const [field_type, default_value, more] of [
        ['integer', 'many', {}],
        ['date', '2024-02-30', {}],
        ['list', 'Old', { options: ['New'] }],
        ['text', 'xxx', { max_length: 2 }],
        ['integer', '9', { max: 5 }],
        ['autonumber', '5', {}],
        ['file', 'a.txt', {}],
      ] as const)
        refused(
          await service.add('field', { table_id: other.id, field_name: 'D', field_type, default_value, ...more }),
          wrong('default_value'),
        )
    })

    it('default_value names what exists, and is empty once it does not', async () => {
      for (const [field_type, more] of [
        ['reference', { reference_table_id: other.id }],
        ['references', { reference_table_id: other.id }],
        ['user', {}],
        ['users', {}],
        ['group', {}],
      ] as const) {
        const answer = await service.add('field', { table_id: other.id, field_name: 'D', field_type, default_value: '9999', ...more })
        refused(answer, wrong('default_value'))
      }
      const gone = await service.make(other.type, {})
      const one = await field({ field_type: 'reference', reference_table_id: other.id, default_value: gone })
      assert.equal(attribute(await service.add(one.type, {}), one.it), gone)
      await service.remove(`${other.type}/${gone}`)
      assert.equal(attribute(await service.add(one.type, {}), one.it), '0')
      assert.equal((await service.change('field', one.id, { hint: 'still fine' })).status, 200)
      refused(await service.change('field', one.id, { default_value: '9998' }), wrong('default_value'))
      await service.change('field', one.id, { required: true })
      refused(await service.add(one.type, {}), `422 field.required /data/attributes/${one.it}`)
    })

    it('sequence_number is the order of the fields, in records too', async () => {
      const table = await makeTable(service, 'Order', { a: 'text', b: 'text', c: 'text' })
      const { f } = table
      await service.change('field', f['a']!.slice(1), { sequence_number: 10 })
      const { attributes } = (await service.add(table.type, {})).json.data
      assert.deepEqual(Object.keys(attributes).slice(3), [f['b'], f['c'], f['a']])
    })

    it('max_length counts characters and is at most that of the type', async () => {
      for (const [field_type, values] of [
        ['text', ['яяя', 'яяяя']],
        ['longtext', ['𝄞\n𝄞', '𝄞\n𝄞𝄞']],
        ['phone', ['123', '1234']],
      ] as const) {
        const one = await field({ field_type, max_length: 3 })
        await one.takes(values[0], values[0])
        await one.refuses(values[1])
      }
      refused(await service.add('field', { table_id: other.id, field_name: 'M', field_type: 'text', max_length: 256 }), wrong('max_length'))
      refused(await service.add('field', { table_id: other.id, field_name: 'M', field_type: 'text', max_length: 0 }), wrong('max_length'))
    })

    it('min and max include their ends, and an empty value is always allowed', async () => {
      for (const [field_type, min, max, inside, outside] of [
        ['integer', '2', '5', ['2', '5', ''], ['1', '6', '-3']],
        ['decimal', -1.5, 1.5, ['-1.5', '1.5', '0'], ['-1.51', '1.51']],
        ['decimal', '1.5', '2.5', ['1.50', ''], ['1.49', '2.51']],
        ['date', '2024-01-01', '2024-12-31', ['2024-01-01', '2024-12-31', ''], ['2023-12-31', '2025-01-01']],
        ['datetime', '2024-01-01', '2024-01-01 12:00:00', ['2024-01-01', '2024-01-01 12:00:00', ''], ['2024-01-01 12:00:01']],
      ] as const) {
        const one = await field({ field_type, min, max })
        for (const value of inside) assert.equal((await one.add(value)).status, 201, `${field_type} ${value}`)
        for (const value of outside) await one.refuses(value)
        assert.equal((await one.add(null)).status, 201)
      }
      refused(await service.add('field', { table_id: other.id, field_name: 'M', field_type: 'integer', min: 5, max: 4 }), wrong('max'))
    })

    it('what a response shows of an unfilled field is taken on create, whatever min says; later it is a value like others', async () => {
      const one = await field({ field_type: 'integer', min: '2' })
      await one.takes('0', '0')
      const id = await one.takes('5', '5')
      refused(await service.change(one.type, id, { [one.it]: '0' }), `422 field.invalid_value /data/attributes/${one.it}`)
      assert.equal((await service.change(one.type, id, { [one.it]: '' })).json.data.attributes[one.it], '0')
    })

    it('file_extensions, max_files and max_kilobytes limit the files of a field', async () => {
      const one = await field({ field_type: 'file', file_extensions: ['txt', 'md'], max_files: 2, max_kilobytes: 1 })
      const file = (file_name: string, content = 'x') => ({ file_name, content })
      await one.takes([file('a.txt'), file('b.MD')], 'a.txt\r\nb.MD')
      await one.takes([file('full.txt', 'x'.repeat(1024))], 'full.txt')
      await one.refuses([file('a.pdf')])
      await one.refuses([file('txt')])
      await one.refuses([file('a.txt'), file('b.txt'), file('c.txt')])
      await one.refuses([file('big.txt', 'x'.repeat(1025))])
    })

    it('image takes pictures only', async () => {
      const one = await field({ field_type: 'image' })
      await one.takes([{ file_name: 'a.png', content: '', binary: true }], 'a.png')
      await one.refuses([{ file_name: 'a.txt', content: 'x' }])
    })

    it('a setting that the type does not know is 422, and so is one of the wrong form', async () => {
      for (const [name, value, field_type] of [
        ['scale', 2, 'text'],
        ['min', '1', 'text'],
        ['max_length', 5, 'integer'],
        ['options', ['A'], 'text'],
        ['reference_table_id', other.id, 'text'],
        ['max_files', 2, 'text'],
        ['min', 'x', 'integer'],
        ['reference_table_id', 9999, 'reference'],
        ['max_files', 0, 'file'],
        ['file_extensions', ['.TXT'], 'file'],
      ] as const)
        refused(await service.add('field', { table_id: other.id, field_name: 'S', field_type, [name]: value }), wrong(name))
    })
  })
})
