import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openInstallation } from '../../src/app/installation.ts'
import { makeDemo } from '../../src/cli/commands/demo/make-demo.ts'
import { readConfig } from '../../src/config.ts'
import { join as joined, name, sql } from '../../src/sql/sql.ts'
import { operator } from '../../src/store/catalogue/administrator.ts'
import { checkIntegrity } from '../../src/store/upkeep/check-integrity.ts'
import type { Store } from '../../src/store/ground/store.ts'
import { randomOf } from '../support/random.ts'

/*
 * Damage of the disk: one byte of the database file is changed, and then it is looked at what the service shows and what
 * `check` says.
 */

export interface Damage {
  readonly flips: number
  /** The file could not be opened or read, and that was said. */
  readonly refused: number
  /** `check` found it. */
  readonly found: number
  /** Nothing that anybody sees changed, and nothing was found: free space, a counter of pages. */
  readonly harmless: number
  /** Records or what belongs to their structure read otherwise than before, and `check` found nothing: where, by table. */
  readonly silent: readonly string[]
}

const open = (directory: string) => openInstallation(readConfig({ data: directory }, {}))

/** Changes one byte in each of so many copies of a demo installation. */
export async function flipBytes(flips: number, seed: number, told: (done: number) => void = () => undefined): Promise<Damage> {
  const root = mkdtempSync(join(tmpdir(), 'kartoteka-damage-'))
  try {
    const whole = join(root, 'whole')
    const made = await open(whole)
    await makeDemo(made.store, operator, 300, async () => {})
    const before = await contents(made.store)
    await made.close()
    if ((await look(whole, before)) === 'found') throw new Error('The installation is not in order before anything is changed.')
    const bytes = readFileSync(join(whole, 'kartoteka.sqlite'))
    const outcomes: (readonly string[] | 'refused' | 'found')[] = []
    const draw = randomOf(seed)
    for (let i = 0; i < flips; i++) {
      const directory = join(root, String(i))
      mkdirSync(directory, { mode: 0o700 })
      const copy = Buffer.from(bytes)
      const place = draw.int(copy.length)
      copy[place] = copy[place]! ^ (1 + draw.int(255))
      writeFileSync(join(directory, 'kartoteka.sqlite'), copy)
      symlinkSync(join(whole, 'files'), join(directory, 'files'))
      outcomes.push(await look(directory, before))
      rmSync(directory, { recursive: true })
      told(i + 1)
    }
    const silent = outcomes.filter((one) => typeof one !== 'string')
    return {
      flips,
      refused: outcomes.filter((one) => one === 'refused').length,
      found: outcomes.filter((one) => one === 'found').length,
      harmless: silent.filter((tables) => tables.length === 0).length,
      silent: silent.flatMap((tables) => (tables.length === 0 ? [] : [tables.join(', ')])),
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** What `check` says of the installation; where it says nothing, the tables that read otherwise. */
async function look(directory: string, before: ReadonlyMap<string, string>): Promise<readonly string[] | 'refused' | 'found'> {
  let opened: Awaited<ReturnType<typeof open>> | undefined
  try {
    opened = await open(directory)
    for await (const _ of checkIntegrity(opened.store)) return 'found'
    const now = await contents(opened.store)
    return [...before].filter(([table, text]) => now.get(table) !== text).map(([table]) => table)
  } catch {
    return 'refused'
  } finally {
    await opened?.close().catch(() => undefined)
  }
}

/** What stands in each table, as text. */
async function contents({ db }: Store): Promise<Map<string, string>> {
  const [tables] = await db.read(sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
  const all = new Map<string, string>()
  for (const [table] of tables!) {
    const [columns] = await db.read(sql`SELECT name FROM pragma_table_info(${String(table)}) ORDER BY cid`)
    const shown = joined(
      columns!.map(([column]) => name(String(column))),
      ', ',
    )
    const [rows] = await db.read(sql`SELECT ${shown} FROM ${name(String(table))} ORDER BY 1`)
    all.set(String(table), rows!.map((row) => row.map(String).join('\u0001')).join('\u0002'))
  }
  return all
}
