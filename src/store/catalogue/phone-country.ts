import { fail } from '../../errors.ts'
import { isPhoneCountry, phoneCountries } from '../../fields/forms/phone-numbers.ts'
import { fieldTypes } from '../../fields/index.ts'
import { sql } from '../../sql/sql.ts'
import type { Db, Row, Transaction } from '../ground/db.ts'
import { tellProcesses } from '../schema/standing.ts'

/*
 * The country by whose rules telephone numbers are compared. Stored keys depend on it, so the database says which one it is, and every
 * process goes by that; the setting KARTOTEKA_PHONE_COUNTRY is compared with it when a server starts.
 */

const byCountry = fieldTypes.filter((type) => type.byCountry).map(({ name }) => name)

const KEPT = 'phone_country'
/** Present while keys are written again: the country that they get, and how far that is. */
const COMING = 'phone_country_coming'

export const readPhoneCountry = sql`SELECT value FROM meta WHERE name = ${KEPT}`
export const phoneCountryIn = (rows: readonly Row[]): string => String(rows[0]?.[0] ?? '')

export const readComing = sql`SELECT value FROM meta WHERE name = ${COMING}`

/** @throws `phones.unfinished` while some keys are by one country and some by another */
export function mustBeWritten(coming: readonly Row[]): void {
  const [row] = coming
  if (row) throw fail('phones.unfinished', { country: (JSON.parse(String(row[0])) as Coming).to || 'none' })
}

/** @throws `config.invalid` */
export function mustBeKnown(country: string): void {
  if (isPhoneCountry(country)) return
  throw fail('config.invalid', { name: 'KARTOTEKA_PHONE_COUNTRY', value: country, expected: `one of ${phoneCountries.join(', ')}` })
}

export interface Coming {
  readonly to: string
  /** Fields whose keys are written. */
  readonly fields: readonly number[]
  /** Of the next field: the twin that is read, and its last record whose key is written. */
  readonly twin: number
  readonly last: number
}

export async function setPhoneCountry(tx: Transaction, country: string): Promise<void> {
  await put(tx, KEPT, country)
}

export const setComing = (tx: Transaction, coming: Coming): Promise<void> => put(tx, COMING, JSON.stringify(coming))

export const forgetComing = (tx: Transaction): Promise<number> => tx.run(sql`DELETE FROM meta WHERE name = ${COMING}`)

async function put(tx: Transaction, name: string, value: string): Promise<void> {
  await tx.run(sql`INSERT INTO meta (name, value) VALUES (${name}, ${value}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
}

/**
 * Called when an installation is opened. `wanted`: the setting; undefined: whatever is kept. One that has no phone field yet takes the setting.
 * @throws `phones.unfinished`, `phones.other_country`, `config.invalid` for a country that the table does not have
 */
export async function settlePhoneCountry(db: Pick<Db, 'read' | 'write' | 'dialect'>, wanted: string | undefined): Promise<void> {
  const [kept, coming] = await db.read(readPhoneCountry, readComing)
  mustBeWritten(coming!)
  if (wanted === undefined || wanted === phoneCountryIn(kept!)) return
  mustBeKnown(wanted)
  await db.write(
    async (tx) => {
      const now = phoneCountryIn(await tx.all(readPhoneCountry))
      if (now === wanted) return
      const ofThose = db.dialect.oneOf(sql`type`, byCountry)
      if ((await tx.all(sql`SELECT id FROM fields WHERE ${ofThose} LIMIT 1`)).length > 0)
        throw fail('phones.other_country', { kept: now || 'none', wanted: wanted || 'none' })
      await setPhoneCountry(tx, wanted)
      await tellProcesses(tx, db.dialect.shared)
    },
    { alone: true },
  )
}
