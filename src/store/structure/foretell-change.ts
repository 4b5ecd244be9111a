import type { Stored } from '../../fields/field-type.ts'
import type { Written } from '../../fields/readers.ts'
import { isEmpty } from '../../fields/value.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Administrator } from '../catalogue/administrator.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { Abandoned } from '../model/asker.ts'
import { recordsOf, trashOf, type Field } from '../model/catalogue.ts'
import { columnWriting } from './column-writing.ts'
import { convertedOf, mustNotBeConverted, needsConversion } from './convert-field.ts'
import { updateField } from './fields.ts'

/* What a change of a field would do to the records. The field after it comes from the change itself, which is undone; records are only read. */

interface Example {
  readonly recordId: number
  readonly value: string
  readonly becomes: string
}

export interface ChangeEffects {
  /** Records, also in the trash, whose values become those of another type. */
  readonly converted: number
  /** Of them, those of which a part or all is lost. */
  readonly lost: number
  /** Each value once, with the first record that holds it. */
  readonly examplesLost: readonly Example[]
  readonly examples: readonly Example[]
  /** How the texts of the field are read, where all of them tell. */
  readonly writing: Written | undefined
  /** Options that are removed, with the number of records that hold them; they keep them. */
  readonly options: readonly { readonly id: number; readonly label: string; readonly records: number }[]
}

const EXAMPLES = 10
/** Records that are read at once, with their values in memory. */
const STEP = 200

/** What the change would make of the field. */
class Foreseen extends Error {
  readonly before: Field
  readonly after: Field
  readonly key: Field | undefined
  constructor(before: Field, after: Field, key: Field | undefined) {
    super('The change is only looked at.')
    this.before = before
    this.after = after
    this.key = key
  }
}

/** @throws what the change would throw because of the field, not of its values */
export async function foretellChange(
  store: Parameters<typeof updateField>[0],
  by: Administrator,
  id: number,
  changes: Parameters<typeof updateField>[3],
): Promise<ChangeEffects> {
  const { before, after, key } = await foreseen(store, by, id, changes)
  const read: Pick<Transaction, 'all'> = {
    async all(query) {
      if (by.client?.isGone === true) throw new Abandoned()
      return (await store.db.read(query))[0]!
    },
  }
  const converts = needsConversion(before, after)
  if (converts) await mustNotBeConverted(read, before)
  return {
    ...(converts
      ? await conversion(store, read, before, after, key)
      : { converted: 0, lost: 0, examplesLost: [], examples: [], writing: undefined }),
    options: converts ? [] : await removedOptions(store, read, before, after),
  }
}

async function foreseen(...[store, by, id, changes]: Parameters<typeof foretellChange>): Promise<Foreseen> {
  try {
    await updateField(store, by, id, changes, {
      foresee: (before, after, key) => {
        throw new Foreseen(before, after, key)
      },
    })
  } catch (error) {
    if (error instanceof Foreseen) return error
    throw error
  }
  throw new Error('A change of a field was not looked at.')
}

async function conversion(
  store: Uses<'db' | 'context'>,
  read: Pick<Transaction, 'all'>,
  from: Field,
  to: Field,
  key: Field | undefined,
): Promise<Omit<ChangeEffects, 'options'>> {
  const writing = await columnWriting(read, { tableId: from.tableId, from, to }, async () => {})
  const shown = ({ type, settings }: Field, value: Stored) => type.format(value, settings)
  const examplesLost: Example[] = []
  const examples: Example[] = []
  let [converted, lost] = [0, 0]
  for await (const rows of valuesOf(store, read, from, [recordsOf(from.tableId), trashOf(from.tableId)])) {
    for (const { id, stored, value, lost: isLost } of await convertedOf(store, read, from, to, rows, { writing, key })) {
      if (isEmpty(to.type, value) && isEmpty(from.type, stored)) continue
      converted++
      if (isLost) lost++
      const some = isLost ? examplesLost : examples
      if (some.length === EXAMPLES) continue
      const example = { recordId: id, value: shown(from, stored), becomes: shown(to, value) }
      if (!isLost || !some.some((other) => other.value === example.value)) some.push(example)
    }
  }
  return { converted, lost, examplesLost, examples, writing }
}

async function removedOptions(
  store: Uses<'db'>,
  read: Pick<Transaction, 'all'>,
  before: Field,
  after: Field,
): Promise<ChangeEffects['options']> {
  const kept = new Set(after.settings.options?.flatMap(({ id, removed }) => (removed ? [] : [id])))
  const gone = before.settings.options?.filter(({ id, removed }) => !removed && !kept.has(id)) ?? []
  if (gone.length === 0) return []
  const counts = new Map(gone.map(({ id }) => [String(id), 0]))
  for await (const rows of valuesOf(store, read, before, [recordsOf(before.tableId)]))
    for (const { stored } of rows) for (const one of String(stored).split('-')) if (counts.has(one)) counts.set(one, counts.get(one)! + 1)
  return gone.map(({ id, label }) => ({ id, label, records: counts.get(String(id))! }))
}

/** The values of a field, some at a time. */
async function* valuesOf(
  { db: { dialect } }: Uses<'db'>,
  { all }: Pick<Transaction, 'all'>,
  { column, type }: Field,
  twins: readonly string[],
): AsyncGenerator<readonly { readonly id: number; readonly stored: Stored }[]> {
  const value = type.exact ? dialect.integerText(name(column)) : name(column)
  for (const twin of twins)
    for (let last = 0, isMore = true; isMore;) {
      const rows = await all(sql`SELECT id, ${value} FROM ${name(twin)} WHERE id > ${last} ORDER BY id LIMIT ${STEP}`)
      if (rows.length > 0) yield rows.map(([id, stored]) => ({ id: Number(id), stored: stored as Stored }))
      last = Number(rows.at(-1)?.[0] ?? 0)
      isMore = rows.length === STEP
    }
}
