import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { postgres } from '../../src/sql/postgres.ts'
import { render, sql, type Sql } from '../../src/sql/sql.ts'
import { beginsWord, wordsOf } from '../../src/sql/words.ts'
import * as fc from '../support/fast-check.ts'
import { scratchDatabase } from '../support/scratch-database.ts'

const letters = [...'ab1.- \u0301é😀\ue000\uffff\ua500\ua501\ua502\u0001\n\\']
const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 })

describe('a word that PostgreSQL looks for', () => {
  let client: pg.Client
  let drop: () => Promise<void>
  before(async () => {
    const database = await scratchDatabase()
    drop = database.drop
    client = new pg.Client(database.url)
    await client.connect()
  })
  after(async () => {
    await client.end()
    await drop()
  })
  const conditionOf = (text: string, word: string): Sql => postgres.beginsWord(sql`${text}::text`, word)
  const ask = async (condition: Sql): Promise<boolean> => {
    const { text, params } = render(sql`SELECT ${condition} AS found`, postgres.placeholder)
    return (await client.query<{ found: boolean }>(text, params)).rows[0]!.found
  }

  it('is found where a word begins so, also where it or the text has the letters that stand for it', () =>
    fc.assert(
      fc.asyncProperty(text, text, async (text, other) => {
        for (const word of new Set(
          [...wordsOf(other), ...wordsOf(text), ...wordsOf(text).map((one) => one.slice(-1))].filter((one) => one.isWellFormed()),
        ))
          assert.equal(await ask(conditionOf(text, word)), beginsWord(text, word), JSON.stringify([text, word]))
      }),
      { numRuns: 300 },
    ))

  it('is looked for by the regular expression of all other words: PostgreSQL keeps few of them', () => {
    const expressions = Array.from({ length: 40 }, (_, i) =>
      render(conditionOf('text', `word${i}`), postgres.placeholder).params.filter((param) => String(param).startsWith('(?:^|')),
    )
    assert.equal(new Set(expressions.flat()).size, 1)
    assert.ok(expressions.every((one) => one.length === 1))
  })
})
