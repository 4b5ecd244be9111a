import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openDatabase } from '../../src/store/open.ts'
import { convertPhones } from '../../src/store/upkeep/convert-phones.ts'
import { cluster, distribution, scratchDatabase } from '../support/scratch-database.ts'
import { scratchProgram, type ScratchProgram } from '../support/scratch-program.ts'

const RU = { env: { KARTOTEKA_PHONE_COUNTRY: 'RU' } }

describe('convert-phones', () => {
  let program: ScratchProgram
  let url = 'sqlite'
  let drop = () => Promise.resolve()
  const many = 2_500

  before(async () => {
    if (cluster === undefined) program = scratchProgram()
    else {
      ;({ url, drop } = await scratchDatabase())
      program = scratchProgram({ KARTOTEKA_DATABASE_URL: url, KARTOTEKA_DISTRIBUTION: distribution })
    }
    const lines = Array.from(
      { length: many },
      (_, i) => `n${i},8 900 ${String(i).padStart(7, '0')},8 495 ${String(i % 100).padStart(7, '0')}`,
    )
    const file = program.file('people.csv', `Name,Own,Other\n${lines.join('\n')}\n`)
    await program.begin()
    await program.ok(
      'import',
      'People',
      file,
      '--create',
      '--unique',
      'Own',
      '--type',
      'Own=phone',
      '--type',
      'Other=phone',
      '--type',
      'Name=text',
    )
  })
  after(async () => {
    await program.remove()
    await drop()
  })

  const refused = async (args: readonly string[], code: number, says: RegExp, starting = {}) => {
    const ended = await program.start(args, starting).finished
    assert.equal(ended.code, code, ended.out + ended.err)
    assert.match(ended.err, says)
    return ended.out
  }
  /** Ids of what a running server finds. */
  const found = async (env: Readonly<Record<string, string>>, ...filters: readonly string[]) => {
    const server = await program.serve({ env })
    const token = await program.token()
    const answers: string[][] = []
    for (const filter of filters) {
      const { status, body } = await server.call(token, 'GET', `data1?filter=${encodeURIComponent(filter)}`)
      assert.equal(status, 200, JSON.stringify(body))
      answers.push(body.data.map(({ id }: { id: string }) => id))
    }
    return { server, token, answers, stop: () => server.stop() }
  }
  /** What the conversion of an interrupted process leaves. */
  const interrupted = async (country: string) => {
    const db = await openDatabase(url, program.data, distribution, true)
    try {
      const dies = (done: number) => (done >= 1_000 ? Promise.reject(new Error('It died.')) : Promise.resolve())
      await assert.rejects(convertPhones(db, country, dies), /It died/)
    } finally {
      await db.close()
    }
  }

  it('is named where a server has another setting than the installation, and nothing is changed then', async () => {
    await refused(['serve'], 1, /the country 'none', and KARTOTEKA_PHONE_COUNTRY says 'RU'.*kartoteka convert-phones --country RU'/s, RU)
    await refused(['serve'], 2, /KARTOTEKA_PHONE_COUNTRY is 'XX'; it must be one of AE,/, { env: { KARTOTEKA_PHONE_COUNTRY: 'XX' } })
    await refused(['convert-phones', '--country', 'XX'], 2, /'XX' is no country that Kartoteka knows/)
    assert.match(await program.ok('convert-phones', '--country', 'none'), /so already/)
    // What the message calls the digits, the setting takes.
    await (await program.serve({ env: { KARTOTEKA_PHONE_COUNTRY: 'none' } })).stop()
    // A command goes by what is kept.
    assert.match((await program.start(['check'], RU).finished).out, /in order/)
  })

  it('lists the numbers that a unique field would hold twice, and changes nothing', async () => {
    const { server, token, answers } = await found({}, "eq(f2,'89000000007')", "eq(f2,'79000000007')")
    assert.deepEqual(answers, [['8'], []])
    const data = { type: 'data1', attributes: { f1: 'twice', f2: '+7 (900) 000-00-07' } }
    assert.equal((await server.call(token, 'POST', 'data1', { data })).status, 201)
    await refused(['convert-phones', '--country', 'RU'], 1, /using the data directory|connected to the database/)
    await server.stop()
    const listed = await refused(
      ['convert-phones', '--country', 'ru'],
      1,
      /1 numbers would be in unique fields more than once. Nothing was changed/,
    )
    assert.equal(listed, `Table 1 (People), Own: the same number in the records 8 '8 900 0000007', ${many + 1} '+7 (900) 000-00-07'\n`)
    assert.match(await program.ok('check'), /in order/)
    const again = await found({}, "eq(f2,'89000000007')")
    assert.deepEqual(again.answers, [['8']])
    // In the trash it is in nobody's way.
    assert.equal((await again.server.call(again.token, 'DELETE', `data1/${many + 1}`)).status, 200)
    await again.stop()
  })

  it('goes on where it was interrupted; until then nothing else opens the installation', async () => {
    await interrupted('RU')
    for (const starting of [RU, {}])
      await refused(['serve'], 1, /was interrupted. Run 'kartoteka convert-phones --country RU' again/, starting)
    await refused(['export', 'People'], 1, /was interrupted/)
    assert.match(
      await program.ok('convert-phones', '--country', 'RU'),
      /of 2 fields. From now on start servers with KARTOTEKA_PHONE_COUNTRY=RU/,
    )
    assert.match(await program.ok('check'), /in order/)
    await refused(['serve'], 1, /the country 'RU', and KARTOTEKA_PHONE_COUNTRY says 'none'/)
    const { server, token, answers } = await found(
      RU.env,
      "eq(f2,'+79000000007')",
      "starts_with(f2,'8 900 000 00 0')",
      "search('7 900 000 24 99')",
      "eq(f3,'+74950000099')",
    )
    assert.deepEqual(answers[0], ['8'])
    assert.deepEqual(
      answers[1],
      Array.from({ length: 10 }, (_, i) => String(i + 1)),
    )
    assert.deepEqual(answers[2], [String(many)])
    assert.equal(answers[3]!.length, 20)
    const data = { type: 'data1', attributes: { f1: 'twice', f2: '900 000 00 08' } }
    assert.equal((await server.call(token, 'POST', 'data1', { data })).status, 409)
    // Records in the trash have the new keys too.
    const trash = (await server.call(token, 'GET', 'trash')).body.data
    assert.equal((await server.call(token, 'POST', `trash/${trash[0].id}/restore`)).status, 409)
    await server.stop()
  })

  it('imports by the normal form', async () => {
    const file = program.file('more.csv', 'Name,Own\nchanged,+7 (900) 000-00-09\nnew,+7 900 111-11-11\n')
    assert.match(await program.ok('import', 'People', file, '--update-by', 'Own'), /1 created, 1 updated, 0 bad/)
  })

  it('goes back to digits, also from a conversion that did not finish', async () => {
    await interrupted('')
    assert.match(await program.ok('convert-phones', '--country', 'DE'), /KARTOTEKA_PHONE_COUNTRY=DE/)
    assert.match(await program.ok('convert-phones', '--country', 'none'), /without KARTOTEKA_PHONE_COUNTRY/)
    assert.match(await program.ok('check'), /in order/)
    const { answers, stop } = await found({}, "eq(f2,'89000000007')", "eq(f2,'79000000007')")
    assert.deepEqual(answers, [['8'], []])
    await stop()
  })
})

describe('the country of telephone numbers', () => {
  it('is that of the first start, and may change while no field has numbers', async () => {
    const own = cluster === undefined ? undefined : await scratchDatabase()
    const program = scratchProgram(own ? { KARTOTEKA_DATABASE_URL: own.url, KARTOTEKA_DISTRIBUTION: distribution } : {})
    try {
      for (const country of ['RU', 'DE', '']) await (await program.serve({ env: { KARTOTEKA_PHONE_COUNTRY: country } })).stop()
      const server = await program.serve({ env: { KARTOTEKA_PHONE_COUNTRY: 'kz' } })
      await program.ok('import', 'People', program.file('one.csv', 'Phone\n8 701 111-11-11\n'), '--create', '--type', 'Phone=phone')
      await server.stop()
      const other = await program.start(['serve'], { env: { KARTOTEKA_PHONE_COUNTRY: 'RU' } }).finished
      assert.equal(other.code, 1)
      assert.match(other.err, /the country 'KZ'/)
    } finally {
      await program.remove()
      await own?.drop()
    }
  })
})
