import type { Attribute, Stored } from '../../fields/field-type.ts'
import { isEmpty } from '../../fields/value.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { name, sql } from '../../sql/sql.ts'
import { attributesWithTrashed } from '../catalogue/load-catalogue.ts'
import { conversionColumns, readConversion } from '../catalogue/conversions.ts'
import { actions } from '../changes/codes.ts'
import type { Content, Side } from '../changes/content.ts'
import type { Held } from '../ground/changes.ts'
import type { Transaction } from '../ground/db.ts'
import { endOfStep } from '../ground/steps.ts'
import type { Uses } from '../ground/store.ts'
import { recordsOf, trashOf, type Field, type Table } from '../model/catalogue.ts'
import { SETTLED } from '../records/checksums.ts'
import { heldIn } from '../records/images.ts'

/*
 * Compares the log of changes with the records: the newest change of each attribute is its value, and a record is where its newest change
 * says. What is older than the log is not compared. Records and log are read one after the other, while others write: what differs is
 * read again in a transaction that locks the record.
 */

/** Records, and changes, that are read at once, at most; and the bytes of the contents of these changes. */
const RECORDS = 200
const CHANGES = 200
const BYTES = 4_194_304

type Reading = Pick<Transaction, 'all'>
type Place = 'live' | 'trash' | 'gone'

/** What the log says of a record, from all its changes. */
interface Said {
  readonly record: number
  /** The newest change that says where the record is; undefined where none does. */
  place: Place | undefined
  /** Whether its creation is in the log: then what the log does not name is empty. */
  isWhole: boolean
  /** By column. */
  readonly newest: Map<string, { readonly side: Side; readonly change: number }>
}

/** All differences between the log and the records of a table, a sentence each. */
export async function* checkLog(store: Uses<'db'>, table: Table): AsyncGenerator<string> {
  const { db } = store
  const reading: Reading = { all: async (query) => (await db.read(query))[0]! }
  for (let last = 0; ;) {
    const end = await nextEnd(reading, db.dialect, table.id, last)
    for await (const { record } of differencesIn(reading, db.dialect, table, last, end)) yield* await confirmed(store, table, record)
    if (end === Number.MAX_SAFE_INTEGER) return
    last = end
  }
}

/** The end of the next step: as many records of both twins as are read at once. After the last record, the rest of the log is one. */
async function nextEnd({ all }: Reading, dialect: Dialect, tableId: number, after: number): Promise<number> {
  const { attributes } = await columnsIn({ all }, tableId)
  const texts = [...attributes.values()].filter(({ type }) => typeof type.empty === 'string').map(({ column }) => column)
  const ends: number[] = []
  for (const twin of [recordsOf(tableId), trashOf(tableId)]) {
    const end = await endOfStep(all, dialect, { table: twin, after, rows: RECORDS, texts })
    if (end !== undefined) ends.push(end)
  }
  return ends.length > 0 ? Math.min(...ends) : Number.MAX_SAFE_INTEGER
}

/** What is still different when nobody can change the record. */
async function confirmed({ db }: Uses<'db'>, table: Table, record: number): Promise<string[]> {
  return db.write(async (tx) => {
    for (const twin of [recordsOf(table.id), trashOf(table.id)])
      await tx.all(sql`SELECT id FROM ${name(twin)} WHERE id = ${record}${db.dialect.forUpdate}`)
    const faults: string[] = []
    for await (const { fault } of differencesIn(tx, db.dialect, table, record - 1, record)) faults.push(...fault)
    return faults
  })
}

async function* differencesIn(
  reading: Reading,
  dialect: Dialect,
  table: Table,
  after: number,
  end: number,
): AsyncGenerator<{ readonly record: number; readonly fault: readonly string[] }> {
  const { attributes, old } = await columnsIn(reading, table.id)
  const which = sql`id > ${after} AND id <= ${end}`
  const of = (twin: string) => heldIn(reading, dialect, { tableId: table.id, twin, which }, attributes)
  const [live, trashed] = [await of(recordsOf(table.id)), await of(trashOf(table.id))]
  for await (const said of saidIn(reading, dialect, table.id, after, end)) {
    const { record } = said
    const place: Place = live.has(record) ? 'live' : trashed.has(record) ? 'trash' : 'gone'
    const held = live.get(record) ?? trashed.get(record)
    const about = `Table ${table.id} (${table.title}), record ${record}`
    const fault = [
      ...(said.place !== undefined && said.place !== place
        ? [`${about}: its newest change says that it is ${where[said.place]}, and it is ${where[place]}.`]
        : []),
      ...(held ? wrongValues(said, held, attributes, old).map(([attribute, why]) => `${about}, ${titleOf(attribute)}: ${why}`) : []),
    ]
    if (fault.length > 0) yield { record, fault }
  }
}

const where: Readonly<Record<Place, string>> = { live: 'in the table', trash: 'in the trash', gone: 'erased' }
const titleOf = (attribute: Attribute): string => (attribute as Partial<Field>).title ?? attribute.name

/** What the log says of each record that has changes, in the order of their ids. */
async function* saidIn({ all }: Reading, dialect: Dialect, tableId: number, after: number, end: number): AsyncGenerator<Said> {
  const size = dialect.bytesOf(sql`content`)
  let said: Said | undefined
  for (let [record, change] = [after, Number.MAX_SAFE_INTEGER]; ;) {
    const page = sql`SELECT record_id, id, action, content, ${size} AS size FROM changes
      WHERE table_id = ${tableId} AND (record_id, id) > (${record}, ${change}) AND record_id <= ${end} ORDER BY record_id, id LIMIT ${CHANGES}`
    const rows = await all(sql`SELECT record_id, id, action, content
      FROM (SELECT *, sum(size) OVER (ORDER BY record_id, id) - size AS before FROM (${page}) AS page) AS summed
      WHERE before < ${BYTES} ORDER BY record_id, id`)
    if (rows.length === 0) break
    for (const [recordId, id, action, content] of rows) {
      ;[record, change] = [Number(recordId), Number(id)]
      if (said?.record !== record) {
        if (said) yield said
        said = { record, place: undefined, isWhole: false, newest: new Map() }
      }
      take(said, change, Number(action), JSON.parse(String(content)) as Content)
    }
  }
  if (said) yield said
}

const places: Readonly<Record<number, Place>> = {
  [actions.create]: 'live',
  [actions.update]: 'live',
  [actions.restore]: 'live',
  [actions.delete]: 'trash',
  [actions.erase]: 'gone',
}

/** A record keeps its values in the trash: a change that took it there names them as they were before. */
function take(said: Said, change: number, action: number, content: Content): void {
  said.place = places[action] ?? said.place
  said.isWhole ||= action === actions.create
  for (const [column, [before, after]] of Object.entries(content))
    said.newest.set(column, { side: action === actions.delete ? before : after, change })
}

/**
 * All columns of a table. `old`: of fields that a job has converted, under which name their old column is among them: while a record holds something
 * there, the log does not have its conversion yet.
 */
async function columnsIn(
  { all }: Reading,
  tableId: number,
): Promise<{ readonly attributes: ReadonlyMap<string, Attribute>; readonly old: ReadonlyMap<string, string> }> {
  const rows = await all(sql`SELECT ${conversionColumns} FROM conversions WHERE table_id = ${tableId} AND phase = 'leave'`)
  const left = rows.map((row) => readConversion(row).from).map((from) => ({ ...from, name: `${from.name} before` }))
  const attributes = new Map([...(await attributesWithTrashed({ all }, tableId)), ...left.map((one) => [one.name, one] as const)])
  return { attributes, old: new Map(left.map(({ name: key }) => [key.split(' ')[0]!, key])) }
}

/** The attributes whose value is not that of their newest change, with what is to be said of each. */
function wrongValues(
  { newest, isWhole }: Said,
  held: Held,
  attributes: ReadonlyMap<string, Attribute>,
  old: ReadonlyMap<string, string>,
): [Attribute, string][] {
  const isUnsettled = (key: string): boolean => {
    const before = old.get(key)
    if (before === undefined) return false
    const { type } = attributes.get(before)!
    const value = held.values.get(before)!
    return type.hasEmpty ? !isEmpty(type, value) : !isMark(value)
  }
  const wrong: [Attribute, string][] = []
  for (const [key, value] of held.values) {
    // The mark of a settled record is no value.
    if (isMark(value)) continue
    const attribute = attributes.get(key)!
    const said = newest.get(attribute.column)
    if (!said && isWhole && !isEmpty(attribute.type, value) && !isUnsettled(key))
      wrong.push([attribute, 'it has a value, and no change gave it one.'])
    if (said && !isSame(attribute, said.side, value, held))
      wrong.push([attribute, `its value is not that of its newest change (${said.change}).`])
  }
  return wrong
}

/** Also where the driver has rounded it. */
const isMark = (value: Stored): boolean => Number(value) === Number(SETTLED)

function isSame({ name: key, type }: Attribute, side: Side, value: Stored, { files }: Held): boolean {
  if (side === null) return isEmpty(type, value)
  if (typeof side !== 'object') return String(side) === String(value)
  const named = (list: readonly { readonly name: string; readonly hash: string }[]) =>
    list.map(({ name, hash }) => `${hash} ${name}`).join('\n')
  return side.value === String(value) && named(side.files) === named(files.get(key) ?? [])
}
