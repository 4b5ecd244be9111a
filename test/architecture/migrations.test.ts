import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { render, type Sql } from '../../src/sql/sql.ts'
import type { Dialect } from '../../src/sql/dialect.ts'
import { citus } from '../../src/sql/citus.ts'
import { postgres } from '../../src/sql/postgres.ts'
import { sqlite } from '../../src/sql/sqlite.ts'
import type { Row, Transaction } from '../../src/store/ground/db.ts'
import { migrations } from '../../src/store/schema/migrations/index.ts'

const onPostgres = ['e0e7ab23f974574d', 'b043f9034bf2c7f9', 'dbcfd427dad2228f', 'c63e2d24f6bf6217', '429aca87a6291cfa', '08f75fa4cddff7a3']

/** SHA-256 of what each migration runs, by engine. Append only: a database in use has run the old text and will not run the new one. */
const released = {
  sqlite: [
    'f615d1c65354cdd5',
    '0e2a51a1cfc457e8',
    '990f046aca778c0d',
    'e3b0c44298fc1c14',
    'e3b0c44298fc1c14',
    'e3b0c44298fc1c14',
    'e3b0c44298fc1c14',
    '8ae46185cfcabf11',
    'bdc753686fc8ddee',
    '064b2268b41efb15',
    'a3741a478e7b896e',
    '16b88816892768cd',
    'c3f9cc9a96c4ff7b',
    'f7f07a10854d1a9d',
    'bf38111e0dcc9f3d',
    'd3d765d6d6edde5a',
    '07ca08696e080f3f',
    'ba890773b82f826a',
    'af17ef7e6d8c6226',
    '9f54d89dfe6ebf5c',
    'baf2aee079b6b3f3',
    '0405ce93410fe08b',
    '7b75dd0525176eda',
    '7a2570bb73a6a9ff',
    '57f137746ea29113',
    '609dac46920dcaf2',
    '1173a3af1e88ec27',
    '08b13e91fd05aba4',
    'a7606ba937785280',
    '33a0ac62c2de2710',
    'e3b0c44298fc1c14',
    '4c4963ba744e8106',
    '032fcca00cd0bac4',
    '1ce9b45c28da8074',
    '066d607eb8146bab',
    'e3b0c44298fc1c14',
  ],
  postgres: [
    ...onPostgres,
    'e3b0c44298fc1c14',
    'f0b3603466501d0a',
    '622ce559178c6785',
    'be5932eb99509398',
    'd3c9534ae1daa695',
    'b7ddfc2019a2187b',
    'c3f9cc9a96c4ff7b',
    '225b424bea7dedde',
    '579fa5fe6734ea12',
    'a4d383111e5dc514',
    'b5f265029b3fe1f8',
    '5577f00abecfd787',
    'd120936f54b40fda',
    '2064e270e41348f1',
    '30579e5c0f39521d',
    '19d7d6698e74eafe',
    '2bf47d42000ec728',
    '09c5974dd9ba25df',
    '96b102e507c04967',
    'd8a16a18c6ab9a26',
    '134696beac428e4a',
    'd828b81658580f3f',
    '309be77314dacc41',
    '2cd89dc2fbcf44ee',
    'e0eaabb427863354',
    'a79926390c5c6a59',
    '4ddd1c78783efa05',
    'eccc7c043cf0f8cd',
    '066d607eb8146bab',
    'bbbd6a446a4a5b54',
  ],
  /** Spreads what the others made. */
  citus: [
    ...onPostgres,
    'b9ec7a2ed83ecc9f',
    'f0b3603466501d0a',
    '622ce559178c6785',
    'be5932eb99509398',
    'd3c9534ae1daa695',
    'b7ddfc2019a2187b',
    'c3f9cc9a96c4ff7b',
    '225b424bea7dedde',
    '579fa5fe6734ea12',
    'a4d383111e5dc514',
    'b5f265029b3fe1f8',
    '5577f00abecfd787',
    'd120936f54b40fda',
    '2064e270e41348f1',
    '30579e5c0f39521d',
    '19d7d6698e74eafe',
    '2bf47d42000ec728',
    '09c5974dd9ba25df',
    '96b102e507c04967',
    'd8a16a18c6ab9a26',
    '134696beac428e4a',
    'd828b81658580f3f',
    '309be77314dacc41',
    '2cd89dc2fbcf44ee',
    'e0eaabb427863354',
    'a79926390c5c6a59',
    '4ddd1c78783efa05',
    'eccc7c043cf0f8cd',
    '066d607eb8146bab',
    'bbbd6a446a4a5b54',
  ],
}

test('migrations are appended, never edited', async () => {
  const now = (dialect: Dialect) =>
    Promise.all(
      migrations.map(async (migration) => {
        const text: string[] = []
        const note = (statement: Sql) => void text.push(JSON.stringify(render(statement, dialect.placeholder)))
        for (const step of migration(dialect, [7])) await (step.by === 'work' ? step.work(answering(note)) : note(step.statement))
        return createHash('sha256').update(text.join('\n')).digest('hex').slice(0, 16)
      }),
    )
  assert.deepEqual({ sqlite: await now(sqlite), postgres: await now(postgres), citus: await now(citus) }, released)
})

/** A transaction whose answers let what reads and then writes (0027) run each of its statements. */
function answering(note: (statement: Sql) => void): Transaction {
  const answers: Row[][] = [[[1]], [[9]], [[3, '2026-01-02 03:04:05']], [[null]]]
  const all = (query: Sql) => (note(query), Promise.resolve(answers.shift()!))
  return { all, run: (statement: Sql) => (note(statement), Promise.resolve(1)) } as Partial<Transaction> as Transaction
}

test('migrations are numbered without gaps', () => {
  const files = readdirSync(new URL('../../src/store/schema/migrations/', import.meta.url)).filter((file) => file !== 'index.ts')
  assert.deepEqual(
    files.map((file) => Number(file.slice(0, 4))),
    migrations.map((_, i) => i + 1),
  )
})
