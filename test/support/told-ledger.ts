import { ofRecords, type Held, type RecordChange } from '../../src/store/ground/changes.ts'
import type { Db, Ledger } from '../../src/store/ground/db.ts'
import { sql } from '../../src/sql/sql.ts'
import { isEmpty } from '../../src/fields/value.ts'

/* A ledger that writes what it is told of records into a table, in the transaction: what is rolled back is not there. */

export interface Told {
  readonly tableId: number
  readonly recordId: number
  readonly act: string
  readonly userId: number
  readonly door: string
  /** The same for all that was told with the same caller in one thread. */
  readonly batch: string
  /** Undefined where the ledger asks for no images. */
  readonly before: Written | undefined
  readonly after: Written | undefined
}

/** What a record held, by attribute name: what is not empty as it is stored and as it is shown, the files as `name hash size`. */
export interface Written {
  /** Of the attributes that were told, empty or not. */
  readonly names: readonly string[]
  readonly values: Readonly<Record<string, string>>
  readonly shown: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, readonly string[]>>
}

const columns = ['table_id', 'record_id', 'act', 'user_id', 'door', 'batch', 'image']

function written({ values, attributes, files }: Held): Written {
  const filled = [...values].filter(([name, value]) => !isEmpty(attributes.get(name)!.type, value))
  const shown = filled.map(([name, value]) => {
    const { type, settings } = attributes.get(name)!
    return [name, type.format(value, settings)]
  })
  return {
    names: [...values.keys()],
    values: Object.fromEntries(filled.map(([name, value]) => [name, String(value)])),
    shown: Object.fromEntries(shown),
    files: Object.fromEntries([...files].map(([name, some]) => [name, some.map((one) => `${one.name} ${one.hash} ${one.size}`)])),
  }
}

const imageOf = ({ image }: RecordChange): string =>
  JSON.stringify({ before: image?.before && written(image.before), after: image?.after && written(image.after) })

export interface ToldLedger extends Ledger {
  /** Records told after commits: of all threads. */
  readonly committed: number[]
  /** What it throws before commits. */
  refuses: Error | undefined
}

/** `thread`: begins the names of its batches. */
export function toldLedger(thread: string, images = false): ToldLedger {
  const batches = new Map<object, string>()
  const batchOf = ({ by }: RecordChange) => {
    if (!batches.has(by)) batches.set(by, `${thread} ${batches.size}`)
    return batches.get(by)!
  }
  const told: ToldLedger = {
    committed: [],
    refuses: undefined,
    images,
    async beforeCommit(tx, changes) {
      const rows = ofRecords(changes).map((one) => [
        one.tableId,
        one.recordId,
        one.act,
        one.by.userId,
        one.by.door,
        batchOf(one),
        imageOf(one),
      ])
      await tx.insert('told', columns, rows)
      if (told.refuses) throw told.refuses
    },
    afterCommit: (tallies) => void told.committed.push(...ofRecords(tallies).map(({ recordId }) => recordId)),
  }
  return told
}

/** Made in the database before anything is told. */
export const makeTold = (db: Db): Promise<unknown> =>
  db.write(
    (tx) =>
      tx.createTable(
        'told',
        sql`CREATE TABLE told (id ${db.dialect.identity}, table_id ${db.dialect.integer}, record_id ${db.dialect.integer}, act ${db.dialect.text},
          user_id ${db.dialect.integer}, door ${db.dialect.text}, batch ${db.dialect.text}, image ${db.dialect.text})`,
      ),
    { alone: true },
  )

/** In the order in which it was told. */
export async function allTold(db: Db): Promise<Told[]> {
  const [rows] = await db.read(sql`SELECT table_id, record_id, act, user_id, door, batch, image FROM told ORDER BY id`)
  return rows!.map(([tableId, recordId, act, userId, door, batch, image]) => ({
    tableId: Number(tableId),
    recordId: Number(recordId),
    act: String(act),
    userId: Number(userId),
    door: String(door),
    batch: String(batch),
    ...(JSON.parse(String(image)) as Pick<Told, 'before' | 'after'>),
  }))
}
