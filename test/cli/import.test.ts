import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { limits } from '../../src/limits.ts'
import { servedProgram, type ScratchProgram, type Server } from '../support/scratch-program.ts'

describe('import', () => {
  let program: ScratchProgram
  let server: Server
  let token: string
  before(async () => {
    ;({ program, server, token } = await servedProgram())
  })
  after(() => program.remove())

  const records = async (table: number, filter = '') => {
    const { status, body } = await server.call(token, 'GET', `data${table}?page[limit]=50&filter=${encodeURIComponent(filter)}`)
    assert.equal(status, 200)
    return body.data.map(({ attributes }: { attributes: Record<string, string> }) => {
      const { user_id: _user, add_time: _time, status: _status, ...own } = attributes
      return Object.values(own)
    })
  }
  const tables = async () => (JSON.parse(await program.ok('table', 'list', '--json')) as { name: string }[]).map(({ name }) => name)

  it('--create guesses the types, shows them and imports; the records are there with the next request', async () => {
    const file = program.file(
      'people.csv',
      [
        'name,born,seen,size,count,mail,page,zip,ready,note,phone',
        'Ёлкина,1990-01-02,2024-05-06 07:08:09,1.5,7,a@b.example,https://x.example,00501,true,"two\nlines",+49 30 1234',
        '"O\'Neil, Pat",2000-12-31,2024-05-06T07:08:09,2.25,-3,c@d.example,http://y.example,10115,false,NULL,030 99 88',
        '',
      ].join('\n'),
    )
    const { code, out, err } = await program.run('import', 'People', file, '--create')
    assert.deepEqual([code, out], [0, '2 lines read: 2 imported, 0 bad\n'])
    const guessed = new Map(
      err
        .split('\n')
        .map((line) => /^ {2}(\w+): new field \1, (.*)$/.exec(line)?.slice(1) as [string, string])
        .filter(Boolean),
    )
    assert.deepEqual(Object.fromEntries(guessed), {
      name: 'text',
      born: 'date',
      seen: 'datetime',
      size: 'decimal with 2 digits',
      count: 'integer',
      mail: 'email',
      page: 'url',
      zip: 'text',
      ready: 'boolean',
      note: 'longtext',
      phone: 'phone',
    })
    assert.deepEqual(await records(1), [
      [
        'Ёлкина',
        '1990-01-02',
        '2024-05-06 07:08:09',
        '1.50',
        '7',
        'a@b.example',
        'https://x.example',
        '00501',
        '1',
        'two\nlines',
        '+49 30 1234',
      ],
      ["O'Neil, Pat", '2000-12-31', '2024-05-06 07:08:09', '2.25', '-3', 'c@d.example', 'http://y.example', '10115', '0', '', '030 99 88'],
    ])
  })

  it('--dry-run only shows what would be done', async () => {
    const file = program.file('dry.csv', 'a,b\n1,x\n')
    const { code, out, err } = await program.run('import', 'Dry', file, '--create', '--dry-run')
    assert.deepEqual([code, out, err], [0, '', '  a: new field a, integer\n  b: new field b, text\n'])
    assert.ok(!(await tables()).includes('Dry'))
  })

  it('tells bad lines in a file with line, column and reason, imports the others, and ends with 1', async () => {
    const file = program.file('stock.csv', 'sku,price\nA,1.00\nB,dear\nA,2.00\nC\nD,3.00\n')
    const { code, out, err } = await program.run('import', 'Stock', file, '--create', '--unique', 'sku', '--type', 'price=decimal')
    assert.deepEqual([code, out], [1, '5 lines read: 2 imported, 3 bad\n'])
    assert.match(err, /The reasons are in \S*stock\.csv\.errors\.csv\n$/)
    const [head, ...bad] = readFileSync(`${file}.errors.csv`, 'utf8').trimEnd().split('\n')
    assert.equal(head, 'line,column,reason')
    assert.deepEqual(bad.sort(), [
      "3,price,'dear' is not a number.",
      "4,sku,Another record already has this value in 'sku'.",
      '5,,The line has 1 values; the header has 2.',
    ])
    assert.deepEqual(await records(2), [
      ['A', '1.00'],
      ['D', '3.00'],
    ])
  })

  it('--errors names another file, beside the caller and not beside the server', async () => {
    const file = program.file('more.csv', 'sku,price\nE,5\nA,9\n')
    const { code } = await program.run('import', 'stock', file, '--errors', 'why.txt')
    assert.equal(code, 1)
    assert.match(readFileSync(program.at('why.txt'), 'utf8'), /^line,column,reason\n3,sku,/)
    assert.deepEqual((await records(2)).at(-1), ['E', '5.00'])
  })

  it('reads standard input, other encodings and other delimiters', async () => {
    const typed = program.start(['import', 'Typed', '-', '--create'], { input: 'a\tb\n1\t2\n' })
    assert.deepEqual([(await typed.finished).code, await records(3)], [0, [['1', '2']]])
    const file = program.file('cp1251.csv', Buffer.from([0xe3, 0x3b, 0x62, 0x0a, 0xec, 0x3b, 0x31, 0x0a]))
    await program.ok('import', 'Windows', file, '--create', '--encoding', 'windows-1251')
    assert.deepEqual(await records(4), [['м', '1']])
    const { code, err } = await program.run('import', 'Wrong', file, '--create', '--encoding', 'utf-8')
    assert.equal(code, 2)
    assert.match(err, /The file is not written in utf-8: it has another encoding\. Name it with --encoding\./)
    assert.ok(!(await tables()).includes('Wrong'))
  })

  it('maps columns to fields of other names, leaves columns out, and links records by a unique field', async () => {
    const file = program.file('orders.csv', 'No,What,Rest\n1,A,x\n2,D,y\n3,nothing,z\n')
    const wishes = ['--map', 'No=Number', '--map', 'Rest=', '--reference', 'What=Stock.sku']
    const { code, out } = await program.run('import', 'Orders', file, '--create', ...wishes)
    assert.deepEqual([code, out], [1, '3 lines read: 2 imported, 1 bad\n'])
    assert.deepEqual(await records(5), [
      ['1', '1'],
      ['2', '2'],
    ])
  })

  it('makes no table of a file that cannot be read or of wishes that cannot be met', async () => {
    const before = await tables()
    const file = program.file('plain.csv', 'a,b\n1,2\n')
    const typed: [string[], RegExp][] = [
      [['import', 'New', 'no-such.csv', '--create'], /There is no file 'no-such\.csv'\./],
      [['import', 'New', program.root, '--create'], /is a directory\./],
      [['import', 'New', file], /There is no table 'New'\./],
      [['import', 'Stock', file, '--create'], /There is a table 'Stock' already/],
      [['import', 'New', file, '--create', '--type', 'c=text'], /The file has no column 'c'\. Its columns: a, b\./],
      [['import', 'New', file, '--create', '--type', 'a=colour'], /There is no field type 'colour'\. Types: text, /],
      [['import', 'New', file, '--create', '--type', 'a'], /--type takes column=value, not 'a'\./],
      [['import', 'New', file, '--create', '--reference', 'a=Stock.price'], /'price' of table 'Stock' is not unique/],
      [['import', 'New', file, '--create', '--encoding', 'klingon'], /There is no encoding 'klingon'/],
      [
        ['import', 'New', program.file('wide.csv', `${'a,'.repeat(limits.importColumns.most)}b\n`), '--create'],
        /The file has more than 2000 columns/,
      ],
      [['import', 'New', program.file('long.csv', 'x'.repeat(10_000_000)), '--create'], /Line 1 is longer than 8388608 characters/],
      [['import', 'Stock', file, '--map', 'a=colour'], /Table 'Stock' has no field 'colour'\./],
    ]
    const answers = await Promise.all(typed.map(([args]) => program.run(...args)))
    for (const [i, { code, out, err }] of answers.entries()) {
      assert.match(err, typed[i]![1])
      assert.deepEqual([code, out], [2, ''], typed[i]![0].join(' '))
    }
    assert.deepEqual(await tables(), before)
  })

  it('tells why a file of any size is refused while it is still being sent', async () => {
    const { code, err } = await program.start(['import', 'Nothing', '-'], { input: 'a,b\n'.repeat(4_000_000) }).finished
    assert.deepEqual([code, err], [2, "kartoteka: There is no table 'Nothing'.\n"])
  })
})
