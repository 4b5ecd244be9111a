import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { Failure } from '../../src/errors.ts'
import { plain, type FieldSettings, type FieldType, type Stored } from '../../src/fields/field-type.ts'
import { fieldType, fieldTypes } from '../../src/fields/index.ts'
import { isEmpty, parseLiteral, parseValue } from '../../src/fields/value.ts'
import { name, raw, sql } from '../../src/sql/sql.ts'
import type { Db } from '../../src/store/ground/db.ts'
import { hashOf } from '../../src/store/records/checksums.ts'
import { scratchDb } from '../support/scratch-db.ts'
import * as fc from '../support/fast-check.ts'

/*
 * What every field type promises, shown on its own examples and on hostile input, through a real column.
 */

/** What stands beside the types in src/fields: forms/ is what several types share. */
const shared = ['convert', 'field-type', 'files', 'fold', 'forms', 'index', 'named', 'readers', 'settings', 'steps', 'value']
const context = { timeZone: 'UTC' }
const settingsOf = (type: FieldType): FieldSettings => ({ ...plain, ...type.exampleSettings })

describe('the list of field types', () => {
  it('has every file of src/fields that is not a named shared one', () => {
    const files = readdirSync('src/fields')
      .filter((file) => !file.endsWith('.test.ts'))
      .map((file) => file.replace('.ts', ''))
    assert.deepEqual(files.filter((file) => !shared.includes(file)).sort(), fieldTypes.map((type) => type.name).sort())
  })
  it('has the names and the order of DECISIONS T1', () => {
    const names =
      'text longtext integer decimal datetime date boolean list multilist reference references user users group file image email phone url autonumber'
    assert.equal(fieldTypes.map((type) => type.name).join(' '), names)
    for (const type of fieldTypes) assert.equal(fieldType(type.name), type)
    assert.equal(fieldType('formula'), undefined)
    assert.equal(fieldType('constructor'), undefined)
  })
  it('gives the empty values of interface 5.15', () => {
    const empty: Record<string, string> = { datetime: '0000-00-00 00:00:00', date: '0000-00-00', decimal: '0.00' }
    for (const name of ['integer', 'autonumber', 'boolean', 'reference', 'user', 'group']) empty[name] = '0'
    for (const type of fieldTypes) assert.equal(type.format(type.empty, plain), empty[type.name] ?? '', type.name)
  })
  it('gives empty values that count nothing in the checksum of a record', () => {
    for (const type of fieldTypes) assert.equal(hashOf('f1', type.empty), 0, type.name)
  })
})

describe('a field type', () => {
  let db: Db
  let remove: () => Promise<void>
  before(async () => {
    ;({ db, remove } = await scratchDb())
  })
  after(() => remove())
  for (const type of fieldTypes) describe(type.name, () => conformance(type, () => db))
})

function conformance(type: FieldType, db: () => Db): void {
  const settings = settingsOf(type)
  const table = name(`t_${type.name}`)
  const key = (stored: Stored): Stored => type.key?.(stored, settings) ?? stored

  before(() =>
    db().write(async (tx) => {
      const column = raw(type.column[db().dialect.engine])
      const keyColumn = type.key ? db().dialect.text : column
      await tx.run(sql`CREATE TABLE ${table} (id ${db().dialect.integer} PRIMARY KEY, v ${column} NOT NULL, k ${keyColumn} NOT NULL)`)
    }),
  )

  /** The values as they come back from the table's column, in the order given. */
  async function throughColumn(values: readonly Stored[]): Promise<Stored[]> {
    await db().write(async (tx) => {
      await tx.run(sql`DELETE FROM ${table}`)
      for (const [i, one] of values.entries()) await tx.run(sql`INSERT INTO ${table} (id, v, k) VALUES (${i + 1}, ${one}, ${key(one)})`)
    })
    const [rows] = await db().read(sql`SELECT ${type.exact ? db().dialect.integerText(name('v')) : name('v')} FROM ${table} ORDER BY id`)
    return rows!.map(([value]) => value as Stored)
  }
  const shown = async (value: Stored): Promise<string> => type.format((await throughColumn([value]))[0]!, settings)

  for (const [sent, returned] of type.examples) {
    it(`returns ${brief(returned)} for ${brief(sent)}, and takes it back`, async () => {
      const stored = parseValue(type, sent, settings, context)
      assert.equal(await shown(stored), returned)
      const again = parseValue(type, returned, settings, context)
      assert.equal(String(again), String(stored))
      assert.equal(await shown(again), returned)
    })
    it(`finds ${brief(sent)} by its key, with what equals it and nothing else`, async () => {
      const stored = type.examples.map(([one]) => parseValue(type, one, settings, context))
      await throughColumn(stored)
      const wanted = key(parseLiteral(type, sent, settings, context))
      const [rows] = await db().read(sql`SELECT id FROM ${table} WHERE k = ${wanted} ORDER BY id`)
      const alike = stored.flatMap((one, i) => (String(key(one)) === String(wanted) ? [i + 1] : []))
      assert.deepEqual(
        rows!.map(([id]) => id),
        alike,
      )
      assert.ok(alike.includes(type.examples.findIndex(([one]) => one === sent) + 1))
    })
  }

  for (const sent of type.rejects) {
    it(`refuses ${brief(sent)}`, () => {
      assert.throws(
        () => parseValue(type, sent, settings, context),
        (error) => error instanceof Failure && error.code === 'field.invalid_value' && error.message.length < 300,
      )
    })
  }

  it('refuses NUL and half a surrogate pair', () => {
    for (const sent of ['\0', 'a\0b', '\ud800', 'a\udc00b']) {
      assert.throws(() => parseValue(type, sent, settings, context), { code: 'field.invalid_value' })
      assert.throws(() => parseLiteral(type, sent, settings, context), { code: 'field.invalid_value' })
    }
  })

  it('takes the empty text for empty, and gives back what it shows of it', async () => {
    const empty = parseValue(type, '', settings, context)
    assert.ok(isEmpty(type, empty))
    assert.equal(await shown(empty), type.format(type.empty, settings))
    assert.ok(isEmpty(type, (await throughColumn([type.empty]))[0]!))
    assert.ok(isEmpty(type, parseValue(type, type.format(type.empty, settings), settings, context)))
    assert.ok(isEmpty(type, parseLiteral(type, '', settings, context)))
  })

  it('takes or refuses any text, and what it takes comes back the same', async () => {
    const taken: Stored[] = []
    fc.assert(
      fc.property(hostile(type), (sent) => {
        attempt(() => parseLiteral(type, sent, settings, context))
        attempt(() => type.part?.(sent))
        attempt(() => type.member?.(sent, settings))
        const stored = attempt(() => parseValue(type, sent, settings, context))
        if (stored === undefined) return
        const text = type.format(stored, settings)
        assert.equal(String(parseValue(type, text, settings, context)), String(stored))
        assert.equal(String(parseLiteral(type, text, settings, context)), String(stored))
        if (type.key) assert.equal(type.key(stored, settings), type.key(parseValue(type, text, settings, context), settings))
        for (const id of type.ids?.(stored) ?? []) assert.ok(Number.isSafeInteger(id) && id > 0)
        taken.push(stored)
      }),
      { numRuns: 400 },
    )
    assert.deepEqual((await throughColumn(taken)).map(String), taken.map(String))
  })

  it('says in one sentence what it is', () => assert.match(type.says, /^[A-Z].*\.$/))
}

/** What the work gives, or undefined where it is refused as a client may be refused; anything else is a fault. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Failure && error.code === 'field.invalid_value') return undefined
    throw error
  }
}

/** Any text at all, and the type's own examples and refusals with characters taken out, put in and doubled. */
function hostile(type: FieldType): fc.Arbitrary<string> {
  const known = fc.constantFrom(
    ...type.examples.map(([sent]) => sent),
    ...type.examples.map(([, returned]) => returned),
    ...type.rejects.map((sent) => sent.slice(0, 400)),
  )
  const character = fc.oneof(
    fc.constantFrom(...'0159-+.,:/@TZ \r\n\t\'"%_\\', '\u00a0', '\u0308', '\0', '\ud800', '\r\n', '٣', 'ё', '🚀'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  )
  const mutated = fc.tuple(known, fc.nat(), fc.nat(2), character).map(([text, at, cut, put]) => {
    const where = at % (text.length + 1)
    return text.slice(0, where) + put + text.slice(where + cut)
  })
  const digits = fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(12)).map(([number, point]) => {
    const text = String(number)
    return point === 0 || point >= text.length - 1 ? text : `${text.slice(0, -point)}.${text.slice(-point)}`
  })
  return fc.oneof(fc.string({ unit: 'binary' }), fc.string(), known, mutated, mutated, digits)
}

function brief(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)
}
