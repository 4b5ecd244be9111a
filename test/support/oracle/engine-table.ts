import { plain, type Attribute, type Stored } from '../../../src/fields/field-type.ts'
import { fieldType } from '../../../src/fields/index.ts'
import { parseLiteral, parseValue } from '../../../src/fields/value.ts'
import { check } from '../../../src/filter/check.ts'
import { compile, orderBy } from '../../../src/filter/compile.ts'
import { parse } from '../../../src/filter/parse.ts'
import { predicate, RecordInMemory } from '../../../src/filter/predicate.ts'
import { parseSort } from '../../../src/filter/sort.ts'
import { join, name, raw, sql, type Sql } from '../../../src/sql/sql.ts'
import { scratchDb } from '../scratch-db.ts'
import type { Shown, World } from './answer.ts'
import type { HostileColumn } from './hostile.ts'

/** Somebody who can be asked what the oracle is asked: a table of records. */
export interface Subject {
  /** The records by what is shown of them. */
  readonly rows: readonly Shown[]
  /** Ids of what a filter selects, by id. */
  select(filter: string): Promise<number[]>
  /** Ids of the records for which it holds in memory: as their values were parsed, and as the database has them. */
  test(filter: string): { readonly parsed: readonly number[]; readonly read: readonly number[] }
  /** All ids in the order of a `sort` parameter. */
  order(sort: string): Promise<number[]>
  close(): Promise<void>
}

export const world: World = { hoursAhead: 9, now: '2024-05-15 09:30:15' }
const context = { timeZone: 'Asia/Tokyo' }
const words = { currentUser: 2, now: world.now }

/** The attribute that a hostile column is to the service. */
export function attributeOf({ name, type: typeName, settings, options }: HostileColumn): Attribute {
  const type = fieldType(typeName)!
  const withIds = options?.map((option, i) => ({ id: i + 3, ...option }))
  return {
    name,
    column: name,
    type,
    settings: { ...plain, ...settings, ...(withIds && { options: withIds }) },
    ...(type.key && { keyColumn: `${name}k` }),
  }
}

/** A real database with one table of these records. */
export async function engineTable(columns: readonly HostileColumn[], records: readonly Record<string, string>[]): Promise<Subject> {
  const { db, remove } = await scratchDb()
  const { engine, text } = db.dialect
  const attributes = new Map(columns.map((column) => [column.name, attributeOf(column)]))
  const fields = [...attributes.values()].filter((attribute) => attribute.name !== 'id')

  const declared = fields.flatMap(({ column, keyColumn, type }) => [
    sql`${name(column)} ${raw(type.column[engine])} NOT NULL`,
    ...(keyColumn ? [sql`${name(keyColumn)} ${text} NOT NULL`] : []),
  ])
  const stored = records.map((record) => fields.map((attribute) => ({ attribute, value: read(attribute, record[attribute.name]!) })))
  await db.write(async (tx) => {
    await tx.run(sql`CREATE TABLE r (${join([sql`id INTEGER PRIMARY KEY`, ...declared], ', ')})`)
    for (const [i, values] of stored.entries()) {
      const held = values.flatMap(({ attribute: { type, settings }, value }) => [
        sql`${value}`,
        ...(type.key ? [sql`${type.key(value, settings)}`] : []),
      ])
      await tx.run(sql`INSERT INTO r VALUES (${join([sql`${i + 1}`, ...held], ', ')})`)
    }
  })

  const parsed = stored.map(
    (values, i) => new RecordInMemory(i + 1, new Map(values.map(({ attribute, value }) => [attribute.name, value]))),
  )
  const shown = fields.map(({ column, type }) => (type.exact ? db.dialect.integerText(name(column)) : name(column)))
  const [rows] = await db.read(sql`SELECT ${join([sql`id`, ...shown], ', ')} FROM r ORDER BY r.id`)
  const held = rows!.map(([id, ...row]) => new RecordInMemory(Number(id), new Map(fields.map((one, i) => [one.name, row[i] as Stored]))))

  const within = { attributes, context, words }
  // The table refers to itself; who asks may not read archived records there.
  const readable = check(parse(READABLE), within)
  const target = { tableId: 1, records: 'r', columns: attributes, attributes, readable }
  const conditionOf = (filter: string) => check(parse(filter), { ...within, across: () => target })
  const ids = async (query: Sql) => (await db.read(query))[0]!.map(([id]) => Number(id))
  return {
    rows: stored.map((values, i) => ({
      id: String(i + 1),
      ...Object.fromEntries(values.map(({ attribute: { name, type, settings }, value }) => [name, type.format(value, settings)])),
    })),
    select: (filter) => ids(sql`SELECT id FROM r WHERE ${compile(conditionOf(filter), db.dialect)} ORDER BY id`),
    test: (filter) => {
      const holds = predicate(conditionOf(filter))
      const passing = (records: readonly RecordInMemory[]) => records.flatMap((record, i) => (holds(record) ? [i + 1] : []))
      return { parsed: passing(parsed), read: passing(held) }
    },
    order: (sort) => ids(sql`SELECT id FROM r ORDER BY ${orderBy(parseSort(sort, attributes), db.dialect)}, id`),
    close: remove,
  }
}

const READABLE = 'ne(status,1)'

/** The reference of the hostile columns, and its name in a question about the record that it names. */
const [REFERENCE, STEP] = ['f12', 'f12.']

/** Columns of the records that the reference names. */
export const across = (columns: readonly HostileColumn[]): readonly HostileColumn[] =>
  columns.map((column) => ({ ...column, name: STEP + column.name }))

/** The rows with what is seen of the record that the reference names, if there is one. */
export const joined = (rows: readonly Shown[]): readonly Shown[] =>
  rows.map((row) => {
    const named = rows.find(({ id, status }) => id === row[REFERENCE] && status !== '1')
    return { ...row, ...Object.fromEntries(Object.entries(named ?? {}).map(([name, text]) => [STEP + name, text])) }
  })

/** As the write path reads a value; options may since have been removed. */
const read = ({ type, settings }: Attribute, text: string) => (settings.options ? parseLiteral : parseValue)(type, text, settings, context)
