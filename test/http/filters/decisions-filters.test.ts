import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startService, type Service } from '../../support/service.ts'
import { idsOf, makeTable, person, refused, type Table } from '../../support/scene.ts'
import { longFilter } from '../../support/long-filter.ts'

/* The section Filter language of DECISIONS.md. The functions themselves are pinned by interface-filter. */

describe('the filter language, as decided', () => {
  let service: Service
  let words: Table
  let kinds: Table
  const WORDS = [
    'Straße',
    'STRASSE',
    'ΟΔΟΣ',
    'оδός',
    'É',
    'e\u0301',
    'Ёж',
    'еж',
    '№ 7',
    'No 7',
    'a\\b',
    '100%',
    'a_b',
    'x y',
    'İ',
    'i',
    '𝄞',
    '\ufb01',
  ]

  before(async () => {
    service = await startService()
    words = await makeTable(service, 'Words', { w: 'text' })
    for (const word of WORDS) await service.make(words.type, { [words.f['w']!]: word })
    kinds = await makeTable(service, 'Kinds', {
      text: 'text',
      integer: 'integer',
      decimal: 'decimal',
      date: 'date',
      datetime: 'datetime',
      boolean: 'boolean',
      list: { field_type: 'list', options: ['Alpha', 'Beta', 'gamma'] },
      multilist: { field_type: 'multilist', options: ['Red', 'Green', 'Dark red'] },
      reference: { field_type: 'reference', reference_table_id: words.id },
      references: { field_type: 'references', reference_table_id: words.id },
      user: 'user',
      users: 'users',
      email: 'email',
      phone: 'phone',
    })
    for (const record of [
      {
        list: 'Alpha',
        multilist: 'Red\r\nGreen',
        reference: '1',
        references: '-1-11-',
        integer: '5',
        date: '2024-05-01',
        user: '1',
        users: '-1-',
      },
      { list: 'gamma', multilist: 'Dark red', reference: '11', references: '-11-', integer: '50', date: '2024-05-02' },
      { list: 'Beta', boolean: '1' },
      {},
    ])
      await service.make(kinds.type, Object.fromEntries(Object.entries(record).map(([name, value]) => [kinds.f[name]!, value])))
  })
  after(() => service.close())

  const ask = (table: Table, filter: string, more = '', token?: string) => {
    const text = filter.replace(
      /\b(w|text|integer|decimal|date|datetime|boolean|list|multilist|references?|users?|email|phone)(?=[,)])/g,
      (name) => table.f[name] ?? name,
    )
    return service.get(`${table.type}?filter=${encodeURIComponent(text)}${more}`, token)
  }
  const found = async (filter: string) => idsOf(await ask(words, filter, '&page[limit]=50')).map((id) => WORDS[Number(id) - 1])

  it('text compares by NFC and lower case, code point by code point: ß stays ß, № stays №, ς is σ, ё is е', async () => {
    for (const [sent, expected] of [
      ['STRAßE', ['Straße']],
      ['strasse', ['STRASSE']],
      ['οδοσ', ['ΟΔΟΣ']],
      ['οδος', ['ΟΔΟΣ']],
      ['é', ['É', 'e\u0301']],
      ['ЕЖ', ['Ёж', 'еж']],
      ['Е\u0308Ж', ['Ёж', 'еж']],
      ['№ 7', ['№ 7']],
      ['no 7', ['No 7']],
      ['fi', []],
      ['𝄞', ['𝄞']],
    ] as const)
      assert.deepEqual(await found(`eq(w,'${sent}')`), expected, sent)
    for (const fn of ['starts_with', 'ends_with', 'contains']) assert.deepEqual(await found(`${fn}(w,'ЁЖ')`), ['Ёж', 'еж'], fn)
    assert.deepEqual(await found("between(w,'ЕЖ','еж')"), ['Ёж', 'еж'])
    assert.deepEqual(await found("in(w,'ЕЖ')"), ['Ёж', 'еж'])
  })

  it('order is by code point of the folded text', async () => {
    const { json } = await service.get(`${words.type}?sort=${words.f['w']}&page[limit]=50`)
    const fold = (text: string) =>
      [...text.normalize('NFC')]
        .map((one) => one.toLowerCase())
        .join('')
        .normalize('NFC')
        .replaceAll('ё', 'е')
        .replaceAll('ς', 'σ')
    const points = (text: string) => [...fold(text)].map((one) => one.codePointAt(0)!.toString(16).padStart(6, '0')).join()
    const expected = WORDS.map((word, i) => [points(word), i] as const).sort(([a, i], [b, j]) => (a < b ? -1 : a > b ? 1 : i - j))
    assert.deepEqual(
      json.data.map(({ id }: { id: string }) => WORDS[Number(id) - 1]),
      expected.map(([, i]) => WORDS[i]),
    )
  })

  it('backslash, % and _ are plain characters', async () => {
    for (const [filter, expected] of [
      ["contains(w,'%')", ['100%']],
      ["contains(w,'_')", ['a_b']],
      ["contains(w,'\\')", ['a\\b']],
      ["eq(w,'a_b')", ['a_b']],
      ["starts_with(w,'a')", ['a\\b', 'a_b']],
    ] as const)
      assert.deepEqual(await found(filter), expected, filter)
  })

  it('a literal that does not fit the type is 400, never an empty result', async () => {
    for (const filter of [
      "eq(integer,'many')",
      "eq(integer,'1.5')",
      "gt(integer,'9999999999999999999')",
      "in(integer,1,'x')",
      "between(decimal,1,'x')",
      "eq(decimal,'1.005')",
      "eq(date,'2024-02-30')",
      "lt(datetime,'yesterday')",
      "eq(datetime,'10000-01-01')",
      "eq(boolean,'perhaps')",
      "eq(list,'Omega')",
      "nin(list,'Alpha','Omega')",
      "eq(multilist,'Blue')",
      "has(multilist,'Blue')",
      "eq(reference,'x')",
      "has(references,'x')",
      "eq(references,'1,2')",
      "eq(phone,'none')",
      "eq(text,'a\0b')",
      "eq(id,'x')",
      "eq(status,'archived')",
      "eq(add_time,'then')",
      "eq(user_id,'me')",
    ])
      refused(await ask(kinds, filter), '400 filter.invalid_value filter')
  })

  it('a set has no order: gt, gte, lt, lte and between on it are refused', async () => {
    for (const name of ['multilist', 'references', 'users'])
      for (const filter of [`gt(${name},'1')`, `gte(${name},'1')`, `lt(${name},'1')`, `lte(${name},'1')`, `between(${name},'1','2')`])
        refused(await ask(kinds, filter), '400 filter.wrong_kind filter')
    for (const name of ['text', 'integer', 'list', 'reference'])
      refused(await ask(kinds, `has(${name},'1')`), '400 filter.wrong_kind filter')
  })

  it('has asks for one member of several, and for nothing that only contains it', async () => {
    for (const [filter, expected] of [
      ["has(multilist,'RED')", ['1']],
      ["has(multilist,'dark red')", ['2']],
      ['has(references,1)', ['1']],
      ["has(references,'11')", ['1', '2']],
      ['has(users,1)', ['1']],
      ['not(has(references,1))', ['2', '3', '4']],
    ] as const)
      assert.deepEqual(idsOf(await ask(kinds, filter)), expected, filter)
  })

  it('is_empty asks for the empty value, whatever the type', async () => {
    for (const [name, expected] of [
      ['list', ['4']],
      ['multilist', ['3', '4']],
      ['references', ['3', '4']],
      ['integer', ['3', '4']],
      ['date', ['3', '4']],
      ['boolean', ['1', '2', '4']],
      ['user', ['2', '3', '4']],
    ] as const)
      assert.deepEqual(idsOf(await ask(kinds, `is_empty(${name})`)), expected, name)
    refused(await ask(kinds, "is_empty(list,'x')"), '400 filter.wrong_arity filter')
  })

  it('a list compares as its labels do', async () => {
    for (const [filter, expected] of [
      ["gt(list,'ALPHA')", ['2', '3']],
      ["lt(list,'b')", ['1', '4']],
      ["between(list,'alpha','beta')", ['1', '3']],
      ["starts_with(list,'GAM')", ['2']],
      ["contains(list,'a')", ['1', '2', '3']],
      ["ne(list,'')", ['1', '2', '3']],
    ] as const)
      assert.deepEqual(idsOf(await ask(kinds, filter)), expected, filter)
    assert.deepEqual(idsOf(await service.get(`${kinds.type}?sort=-${kinds.f['list']}`)), ['2', '3', '1', '4'])
  })

  it('id, user_id, add_time and status may be filtered like fields', async () => {
    for (const filter of [
      "in(id,1,'2',3,4)",
      'eq(user_id,1)',
      "between(add_time,'2024-05-01','2024-05-02')",
      'lt(status,1)',
      "starts_with(add_time,'2024-05-01 09')",
    ])
      assert.equal((await ask(kinds, filter)).json.meta.total, 4, filter)
    for (const name of ['id', 'user_id', 'add_time', 'status']) assert.equal((await service.get(`${kinds.type}?sort=-${name}`)).status, 200)
  })

  it('current_user, today and now are values in every filter', async () => {
    const { id, token } = await person(service, 3, 'clem')
    const rule = await service.make('access', {
      group_id: 3,
      table_id: kinds.id,
      read: true,
      create: true,
      read_filter: 'eq(user_id,current_user)',
    })
    assert.equal((await service.get(kinds.type, token)).json.meta.total, 0)
    const made = await service.add(kinds.type, {}, token)
    assert.equal(made.json.data.attributes.user_id, id)
    for (const filter of ['id', 'eq(user_id,current_user)', 'gte(add_time,today)', 'between(add_time,now-1,now)'].map((one) =>
      one === 'id' ? `eq(id,${made.json.data.id})` : one,
    ))
      assert.deepEqual(idsOf(await ask(kinds, filter, '', token)), [made.json.data.id], filter)
    assert.deepEqual(idsOf(await ask(kinds, 'eq(user_id,current_user)')), ['1', '2', '3', '4'])
    const saved = await service.make('filter', { table_id: kinds.id, filter_name: 'Mine', expression: 'eq(user_id,current_user)' })
    assert.deepEqual(idsOf(await ask(kinds, `use_filter(${saved})`, '', token)), [made.json.data.id])
    assert.deepEqual(idsOf(await ask(kinds, `use_filter(${saved})`)), ['1', '2', '3', '4'])
    const own = await service.get(`user?filter=${encodeURIComponent('eq(id,current_user)')}`)
    assert.deepEqual(idsOf(own), ['1'])
    refused(await ask(kinds, 'eq(user_id,me)'), '400 filter.syntax filter')
    await service.remove(`access/${rule}`)
    await service.remove(`${kinds.type}/${made.json.data.id}`)
  })

  describe('the older form', () => {
    const older = async (query: string) =>
      idsOf(await service.get(`${kinds.type}?${query.replaceAll(/\[(\w+)\]/g, (_, name: string) => `[${kinds.f[name] ?? name}]`)}`))
    for (const [query, expected] of [
      ['filter[integer]=5', ['1']],
      ['filter[integer]==5', ['1']],
      ['filter[integer]=<50', ['1', '3', '4']],
      ['filter[integer]=>5', ['2']],
      ['filter[integer]=<=5', ['1', '3', '4']],
      ['filter[integer]=>=5', ['1', '2']],
      ['filter[integer]=>=5&filter[integer]=<50', ['1']],
      ['filter[list]=ALPHA', ['1']],
      ['filter[status]=0', ['1', '2', '3', '4']],
      ['filter[status]=0&filter[boolean]=1', ['3']],
      ['filter[id][]=1&filter[id][]=3', ['1', '3']],
      ['filter[id][]=1&filter[id][]=3&filter[boolean]=1', ['3']],
      ['filter[date]=>=2024-05-02', ['2']],
      ['filter[text]=', ['1', '2', '3', '4']],
    ] as const)
      it(query, async () => assert.deepEqual(await older(query), expected))

    it('is not taken together with an expression, and fails as closed', async () => {
      refused(await service.get(`${kinds.type}?filter[status]=0&filter=eq(status,0)`), '400 parameter.invalid filter')
      refused(await service.get(`${kinds.type}?filter[f999]=0`), '400 filter.unknown_attribute filter[f999]')
      refused(await service.get(`${kinds.type}?filter[status]=new`), '400 filter.invalid_value filter[status]')
      refused(await service.get(`${kinds.type}?filter[]=1`), '400 filter.malformed_parameter filter[]')
    })

    it('at most 500 conditions', async () => {
      const conditions = (count: number) => service.get(`${kinds.type}?${'filter[status]=0&'.repeat(count).slice(0, -1)}`)
      assert.equal((await conditions(500)).json.meta.total, 4)
      refused(await conditions(501), '400 filter.too_many_functions filter[status]')
    })

    it('pages like any other filter', async () => {
      const { json } = await service.get(`${kinds.type}?filter[status]=0&page[limit]=1`)
      assert.equal(json.links.next, `${service.url}${kinds.path}?filter%5Bstatus%5D=0&page%5Blimit%5D=1&page%5Boffset%5D=1`)
    })
  })

  describe('limits', () => {
    const nested = (depth: number) => `${'not('.repeat(depth - 1)}eq(status,0)${')'.repeat(depth - 1)}`
    const many = (count: number) => `or(${Array.from({ length: count - 1 }, () => 'eq(id,1)').join()})`
    const values = (count: number) => `in(id,${Array.from({ length: count }, (_, i) => i + 1).join()})`
    for (const [what, most, filter, code] of [
      ['functions deep', 32, nested, 'filter.too_deep'],
      ['functions', 500, many, 'filter.too_many_functions'],
      ['values', 1000, values, 'filter.wrong_arity'],
    ] as const)
      it(`at most ${most} ${what}`, async () => {
        assert.equal((await ask(kinds, filter(most))).status, 200)
        refused(await ask(kinds, filter(most + 1)), `400 ${code} filter`)
      })

    it('at most 1 MiB by POST', async () => {
      const filter = (length: number) => longFilter(900_000, words.f['w']!).padEnd(length)
      assert.equal((await service.call('POST', `${words.type}/search`, { meta: { filter: filter(1_048_576) } })).status, 200)
      refused(
        await service.call('POST', `${words.type}/search`, { meta: { filter: filter(1_048_577) } }),
        '400 filter.too_long /meta/filter',
      )
      const cyrillic = longFilter(530_000, words.f['w']!, 'ё')
      refused(await service.call('POST', `${words.type}/search`, { meta: { filter: cyrillic } }), '400 filter.too_long /meta/filter')
    })

    it('in and nin take at least one value, other functions just their number', async () => {
      for (const filter of [
        'in(id)',
        'nin(id)',
        'eq(id)',
        'eq(id,1,2)',
        'between(id,1)',
        'between(id,1,2,3)',
        'not(eq(id,1),eq(id,2))',
        "starts_with(text,'a','b')",
      ])
        refused(await ask(kinds, filter), '400 filter.wrong_arity filter')
    })
  })

  it('a refusal says where and what was expected', async () => {
    for (const [filter, code, position] of [
      ['eq(status,0', 'filter.syntax', 11],
      ['eq(status,0)) ', 'filter.syntax', 12],
      ['eq(status,0) x', 'filter.syntax', 13],
      ['equals(status,0)', 'filter.unknown_function', 0],
      ['and(eq(status,0),like(id,1))', 'filter.unknown_function', 17],
      ['eq(f999,0)', 'filter.unknown_attribute', 3],
      ["eq(status,'x')", 'filter.invalid_value', 10],
      ['eq(status,0,1)', 'filter.wrong_arity', 12],
      ["eq(status,'0", 'filter.syntax', 12],
      ['eq(status,"0")', 'filter.syntax', 10],
      ['eq(status,1e3)', 'filter.syntax', 11],
      ['()', 'filter.syntax', 0],
      ['status', 'filter.syntax', 0],
      ['  ', 'filter.syntax', 2],
      ['and()', 'filter.syntax', 4],
      ['eq(status,name)', 'filter.syntax', 10],
      ['eq(__proto__,1)', 'filter.syntax', 3],
      ['constructor(status,1)', 'filter.unknown_function', 0],
      ['eq(constructor,1)', 'filter.unknown_attribute', 3],
    ] as const) {
      const answer = await service.get(`${kinds.type}?filter=${encodeURIComponent(filter)}`)
      refused(answer, `400 ${code} filter`)
      const [{ meta, detail, title }] = answer.json.errors
      assert.equal(meta.position, position, filter)
      assert.ok(meta.expected.length > 0 && /[.:]/.test(detail) && title === 'Invalid filter', filter)
    }
  })

  it('a saved filter runs with the rights of the caller, and holds no use_filter itself', async () => {
    const { token } = await person(service, 3, 'fred')
    const secret = kinds.f['integer']!
    const id = await service.make('filter', { table_id: kinds.id, filter_name: 'Big', expression: `gt(${secret},1)` })
    const rule = await service.make('access', { group_id: 3, table_id: kinds.id, read: true })
    assert.deepEqual(idsOf(await ask(kinds, `use_filter(${id})`, '', token)), ['1', '2'])
    await service.change('access', rule, { read_filter: 'ne(id,1)' })
    assert.deepEqual(idsOf(await ask(kinds, `use_filter(${id})`, '', token)), ['2'])
    await service.change('access', rule, { fields: { [secret.slice(1)]: 'hidden' } })
    const answer = await ask(kinds, `use_filter(${id})`, '', token)
    assert.equal(answer.status, 400)
    // The id of the error is chance.
    assert.ok(!answer.text.replace(/"id":"[^"]+"/, '').includes(secret), answer.text)
    refused(
      await service.add('filter', { table_id: kinds.id, filter_name: 'X', expression: `use_filter(${id})` }),
      '422 field.invalid_value /data/attributes/expression',
    )
    const saving = await service.add('filter', { table_id: kinds.id, filter_name: 'X', expression: `use_filter(${id})` })
    assert.match(saving.json.errors[0].detail, /A filter that is saved cannot use another one\.$/)
    await service.remove(`access/${rule}`)
  })
})
