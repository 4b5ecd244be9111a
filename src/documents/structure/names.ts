import type { Catalogue, Table } from '../../store/model/catalogue.ts'
import { invalid } from './read-document.ts'

/*
 * How a document names things that an installation knows by ids. Names may repeat: the second field 'Pay' of a table is called 'Pay#2' where
 * it is referred to.
 */

/** The key of each, in this order: its name, or for a repeated name the name with a number. */
export function keysOf(names: readonly string[]): string[] {
  const taken = new Set(names)
  const met = new Set<string>()
  return names.map((name) => {
    if (!met.has(name)) {
      met.add(name)
      return name
    }
    let n = 2
    while (taken.has(`${name}#${n}`)) n++
    taken.add(`${name}#${n}`)
    return `${name}#${n}`
  })
}

/** Their keys by the attribute names of fields: `Pay` by `f12`. */
export type FieldKeys = ReadonlyMap<string, string>

const braced = (key: string): string => `{${key.replaceAll('}', '}}')}}`

/** Texts in quotes, and names with the step that may follow. */
const NAMES = /'(?:[^']|'')*'|[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)?/g

/**
 * The text of a filter, sort or grouping with {Name} for each field. Undefined: it names a field that is not there any more, so it
 * works nowhere.
 */
export function withNames(text: string, table: Table, keys: (tableId: number) => FieldKeys | undefined): string | undefined {
  let lost = false
  const own = keys(table.id)!
  const result = text.replace(NAMES, (word) => {
    if (word.startsWith("'")) return word
    const [first = '', step] = word.split('.')
    const key = own.get(first)
    if (key === undefined) {
      lost ||= isField(first)
      return word
    }
    if (step === undefined) return braced(key)
    const target = table.fields.find(({ name }) => name === first)!.settings.referenceTableId
    const there = target === undefined ? undefined : keys(target)?.get(step)
    lost ||= there === undefined && isField(step)
    return `${braced(key)}.${there === undefined ? step : braced(there)}`
  })
  return lost ? undefined : result
}

export const isField = (name: string): boolean => /^f\d+$/.test(name)

const BRACES = /'(?:[^']|'')*'|\{((?:[^}]|\}\})*)\}(?:\.(?:\{((?:[^}]|\}\})*)\}))?/g
const unbraced = (key: string): string => key.replaceAll('}}', '}')

/** Finds the attribute name of a field by its key; undefined: the table has none. */
export type FindField = (tableId: number, key: string) => string | undefined

/** The text as this installation keeps it. `where`: what names it, for the message. @throws `structure.invalid` */
export function withIds(text: string, tableId: number, where: string, find: FindField, catalogue: Catalogue): string {
  return text.replace(BRACES, (word, key?: string, step?: string) => {
    if (key === undefined) return word
    const name = find(tableId, unbraced(key))
    if (name === undefined) throw invalid('', `${where} names the field ${braced(unbraced(key))}, which its table does not have.`)
    if (step === undefined) return name
    const target = catalogue.tables.get(tableId)?.fields.find((field) => field.name === name)?.settings.referenceTableId
    const there = target === undefined ? undefined : find(target, unbraced(step))
    if (there === undefined) throw invalid('', `${where} names ${word}, which does not exist.`)
    return `${name}.${there}`
  })
}

/** The name of an attribute alone, as a column or a rule names it: `{Pay}` or `add_time`. */
export const attributeKey = (name: string, keys: FieldKeys): string | undefined => {
  const key = keys.get(name)
  return key === undefined ? (isField(name) ? undefined : name) : braced(key)
}
