import { peopleCalled, recordsCalled, type Sought } from '../api/called.ts'
import { ApiError } from '../api/client.ts'
import { fieldsOf, queries, tables } from '../api/queries.ts'
import { Known, meant, namesIn, numberIn, valueOf } from '../fields/called.ts'
import { fieldOf, type Field } from '../fields/field.ts'
import { titleFieldOf } from '../fields/titles.ts'
import { say } from '../i18n/words.ts'
import type { PastedCell } from './pasting.ts'

/* Pasted texts that name records, users and groups by what they are called. */

const people: Readonly<Record<string, 'user' | 'group'>> = { user: 'user', users: 'user', group: 'group' }
const several: ReadonlySet<string> = new Set(['references', 'users'])

/** What a field refers to: a table, users or groups. */
const targetOf = ({ type, target }: Field): number | 'user' | 'group' | undefined =>
  people[type] ?? (type === 'reference' || type === 'references' ? (target ?? undefined) : undefined)

/** Different names that are looked for in one paste and one table. */
const MOST = 2000
/** Characters of a name. */
const LONGEST = 255

/**
 * The cells with what their texts name, asked for by one request for some hundred names. What is not found, or means several, is told by its cell.
 * @throws ApiError
 */
export async function withNamed(cells: readonly PastedCell[]): Promise<readonly PastedCell[]> {
  const named = cells.filter(({ field, text, isOwn }) => isOwn !== true && !/^(?:#?0)?$/.test(text.trim()) && targetOf(field) !== undefined)
  if (named.length === 0) return cells
  const found = new Map<PastedCell, PastedCell>()
  try {
    for (const [target, some] of Map.groupBy(named, ({ field }) => targetOf(field)!))
      for (const [cell, next] of await namedIn(target, some)) found.set(cell, next)
  } catch (error) {
    // Numbers wait for the connection as they are.
    if (!(error instanceof ApiError && error.status === 0 && named.every((cell) => cell.wrong === undefined))) throw error
  }
  return cells.map((cell) => found.get(cell) ?? cell)
}

async function namedIn(target: number | 'user' | 'group', cells: readonly PastedCell[]): Promise<Map<PastedCell, PastedCell>> {
  const namesOf = ({ text, field }: PastedCell) => {
    const { whole, parts } = namesIn(text, several.has(field.type))
    return [whole, ...parts]
  }
  const sought = new Set([...new Set(cells.flatMap(namesOf))].slice(0, MOST))
  const known = await lookUp(target, [...sought])
  if (!known) return new Map()
  return new Map(
    cells.map((cell) => {
      if (!namesOf(cell).every((name) => sought.has(name))) return [cell, wrong(cell, say('namesTooMany', { count: MOST }))]
      const isMultiple = several.has(cell.field.type)
      const meaning = meant(cell.text, isMultiple, known)
      if ('wrong' in meaning) return [cell, wrong(cell, say(meaning.wrong, { name: meaning.name }))]
      const { wrong: _, ...fits } = cell
      return [cell, { ...fits, value: valueOf(meaning.ids, isMultiple) }]
    }),
  )
}

const wrong = (cell: PastedCell, why: string): PastedCell => ({ ...cell, value: undefined, wrong: why })

/** Undefined: there is nothing that the person may look into. */
async function lookUp(target: number | 'user' | 'group', names: readonly string[]): Promise<Known | undefined> {
  const known = new Known()
  const seek = (titleIn: (name: string) => string | undefined): Sought[] =>
    names
      .map((name) => ({ name, title: isName(name) ? titleIn(name) : undefined, id: numberIn(name) }))
      .filter(({ title, id }) => title !== undefined || id !== undefined)
  try {
    if (typeof target === 'string') {
      const all = await peopleCalled(target, seek((name) => name)) // prettier-ignore
      for (const { id, attributes } of all)
        known.add(id, attributes['arc'] ? [] : [attributes['fio'], attributes['e_mail'], attributes['login'], attributes['group_name']].filter((one) => typeof one === 'string')) // prettier-ignore
      return known
    }
    const field = await titleFieldIn(target)
    const isTitle = field && titles[field.type]
    const all = await recordsCalled(target, isTitle && field.name, seek((name) => (isTitle?.(name) ? name : undefined))) // prettier-ignore
    for (const { id, attributes } of all) known.add(id, isTitle ? [String(attributes[field.name] ?? '')] : [])
    return known
  } catch (error) {
    // Records that the person may not read have no names for them.
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined
    throw error
  }
}

async function titleFieldIn(target: number): Promise<Field | undefined> {
  const [fields, known] = await Promise.all([queries.ensureQueryData(fieldsOf(target)), queries.ensureQueryData(tables)])
  return titleFieldOf(
    fields.data.map(fieldOf),
    known.data.find(({ id }) => id === String(target)),
  )
}

const isName = (name: string): boolean => name.length <= LONGEST && !/\p{Cc}/u.test(name) && name.isWellFormed()

/** By the type of the field that has the titles, what can be one. */
const titles: Readonly<Partial<Record<string, (name: string) => boolean>>> = {
  text: () => true,
  email: (name) => /^[^\s@]+@[^\s@]+$/.test(name),
  integer: (name) => numberIn(name) === name,
  autonumber: (name) => numberIn(name) === name,
}
