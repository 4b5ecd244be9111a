import { usesSqlite, type Config } from '../../config.ts'
import { isPhoneCountry, phoneCountries } from '../../fields/forms/phone-numbers.ts'
import type { Db } from '../../store/ground/db.ts'
import { openDatabase } from '../../store/open.ts'
import { mustBeInUse, mustHaveDatabase, standingOf } from '../../store/schema/standing.ts'
import { lockDirectory } from '../../store/sqlite/directory-lock.ts'
import { convertPhones } from '../../store/upkeep/convert-phones.ts'
import { enterDirectory } from '../directory/enter-directory.ts'
import { UsageError } from '../explain/explain.ts'
import type { Output } from '../terminal/output.ts'

/** Writes the keys of phone fields by the rules of another country. Returns the exit code: 1 where unique fields would hold a number twice. */
export async function convert(config: Config, typed: string, output: Output): Promise<number> {
  const country = typed.toLowerCase() === 'none' ? '' : typed.toUpperCase()
  if (typed === '' || !isPhoneCountry(country))
    throw new UsageError(`'${typed}' is no country that Kartoteka knows. Known: none, ${phoneCountries.join(', ')}.`)
  const { data: directory, databaseUrl } = config
  enterDirectory(directory)
  if (usesSqlite(config)) mustHaveDatabase(directory)
  const unlock = usesSqlite(config) ? lockDirectory(directory) : () => undefined
  try {
    const db = await openDatabase(usesSqlite(config) ? 'sqlite' : databaseUrl, directory, '', true)
    try {
      mustBeInUse(await standingOf(db))
      if (!usesSqlite(config)) await (await import('../../store/postgres/other-connections.ts')).mustBeAlone(db)
      return await report(db, country, output)
    } finally {
      await db.close()
    }
  } finally {
    unlock()
  }
}

async function report(db: Db, country: string, output: Output): Promise<number> {
  const converted = await convertPhones(db, country, (done) => output.progress('records', done))
  const setting = country === '' ? 'without KARTOTEKA_PHONE_COUNTRY' : `with KARTOTEKA_PHONE_COUNTRY=${country}`
  switch (converted.is) {
    case 'same':
      await output.line(`Telephone numbers are compared so already. Start servers ${setting}.`)
      return 0
    case 'done':
      await output.line(`Wrote ${converted.keys} keys of ${converted.fields} fields. From now on start servers ${setting}.`)
      return 0
    case 'refused': {
      const { count, collisions } = converted
      for (const { field, records } of collisions) {
        const held = records.map(({ id, value }) => `${id} '${value}'`).join(', ')
        await output.line(`Table ${field.tableId} (${field.tableTitle}), ${field.title}: the same number in the records ${held}`)
      }
      await output.note(
        `${count} numbers would be in unique fields more than once${count > collisions.length ? `; ${collisions.length} are listed` : ''}. Nothing was changed.`,
      )
      return 1
    }
  }
}
