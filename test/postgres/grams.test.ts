import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { postgres } from '../../src/sql/postgres.ts'
import { idsWithGrams, makeGrams } from '../../src/sql/postgres-grams.ts'
import { render, sql, type Sql } from '../../src/sql/sql.ts'
import * as fc from '../support/fast-check.ts'
import { scratchDatabase } from '../support/scratch-database.ts'
import { scratchProgram } from '../support/scratch-program.ts'

const letters = [...`ab1.- '"\\&|!:*()<>%_\u0301é😀\ue000\uffff\u0001\u0002\n\r~`]
const text = fc.oneof(fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 40 }), fc.string({ unit: fc.constantFrom(...letters) }))

describe('a text that PostgreSQL finds by its grams', () => {
  let client: pg.Client
  let drop: () => Promise<void>
  const index = { index: 't_grams', table: 't', column: 'f', covered: sql`0` }
  const run = async (statement: Sql): Promise<readonly pg.QueryResultRow[]> => {
    const { text, params } = render(statement, postgres.placeholder)
    return (await client.query<pg.QueryResultRow>(text, [...params])).rows
  }
  const found = async (piece: string) => new Set((await run(idsWithGrams(index, piece)!)).map(({ id }) => Number(id)))

  before(async () => {
    const database = await scratchDatabase()
    drop = database.drop
    client = new pg.Client(database.url)
    await client.connect()
    await client.query('CREATE TABLE t (id bigint PRIMARY KEY, f text NOT NULL)')
    for (const statement of makeGrams(index)) await run(statement)
  })
  after(async () => {
    await client.end()
    await drop()
  })

  it('contains the piece, and all that contain it are found', async () => {
    let holding = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 20 }),
        fc.array(text, { maxLength: 4 }),
        fc.nat(),
        async (texts, others, at) => {
          await run(sql`DELETE FROM t`)
          for (const [id, one] of texts.entries()) await run(sql`INSERT INTO t (id, f) VALUES (${id}, ${one})`)
          for (const piece of [...texts.map((one) => partOf(one, at)), ...others]) {
            if ([...piece].length < 3 || piece.includes('\u0001')) continue
            const expected = new Set(texts.flatMap((one, id) => (one.includes(piece) ? [id] : [])))
            assert.deepEqual(await found(piece), expected, JSON.stringify([piece, texts]))
            holding += expected.size
          }
        },
      ),
      { numRuns: 150 },
    )
    assert.ok(holding > 150, `${holding}`)
  })

  it('may be too long for the index, and is compared then', async () => {
    await run(sql`DELETE FROM t`)
    const long = [
      `${'many words, '.repeat(20_000)}one`,
      `${'жук '.repeat(30_000)}one`,
      Array.from({ length: 199_000 }, (_, i) => String.fromCharCode(0x21 + ((i * i) % 90))).join(''),
    ]
    for (const [id, one] of long.entries()) await run(sql`INSERT INTO t (id, f) VALUES (${id}, ${one})`)
    for (const piece of ['one', 'words', 'words, one', 'жук one', 'many', long[2]!.slice(70_000, 70_020)])
      assert.deepEqual(await found(piece), new Set(long.flatMap((one, id) => (one.includes(piece) ? [id] : []))), piece)
  })

  it('is not looked for by a piece with the separator of grams', () => assert.equal(idsWithGrams(index, 'a\u0001b'), undefined))

  it('is found by the index, however many records have it', async () => {
    await run(sql`DELETE FROM t`)
    await run(sql`INSERT INTO t (id, f) SELECT n, 'all have this' FROM generate_series(1, 2000) AS n`)
    for (const piece of ['all', 'have this']) {
      const plan = (await run(sql`EXPLAIN ${idsWithGrams(index, piece)!}`)).map((row) => String(row['QUERY PLAN']))
      assert.ok(
        plan.some((line) => line.includes('Bitmap Index Scan on t_grams')),
        plan.join('\n'),
      )
      assert.ok(!plan.some((line) => line.includes('Seq Scan')), plan.join('\n'))
    }
  })
})

/** Some characters of a text, from one on that `at` names. */
function partOf(text: string, at: number): string {
  const characters = [...text]
  const from = at % Math.max(1, characters.length)
  return characters.slice(from, from + 3 + (at % 17)).join('')
}

it('a role that may create nothing but tables is warned of nothing: indexes over texts need no extension', async () => {
  const { url, drop } = await scratchDatabase()
  const role = new URL(url).pathname.slice(1).replace('test', 'role')
  const owner = new pg.Client(url)
  await owner.connect()
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'; GRANT CREATE ON SCHEMA public TO ${role}`)
  const address = new URL(url)
  address.username = role
  address.password = 'secret'
  const program = scratchProgram({ KARTOTEKA_DATABASE_URL: address.href, KARTOTEKA_LOG_LEVEL: 'warn' })
  try {
    const server = await program.serve()
    const { err } = await server.stop('SIGTERM')
    assert.deepEqual(
      err.split('\n').filter((line) => line.startsWith('{')),
      [],
    )
    const user = new pg.Client(address.href)
    await user.connect()
    try {
      await user.query('CREATE TABLE t (id bigint PRIMARY KEY, f text NOT NULL)')
      for (const statement of makeGrams({ index: 't_grams', table: 't', column: 'f', covered: sql`0` }))
        await user.query(render(statement, postgres.placeholder).text)
      await user.query("INSERT INTO t VALUES (1, 'anna')")
    } finally {
      await user.end()
    }
    assert.deepEqual((await owner.query("SELECT 1 FROM pg_extension WHERE extname <> 'plpgsql'")).rows, [])
  } finally {
    await program.remove()
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
    await owner.end()
    await drop()
  }
})
