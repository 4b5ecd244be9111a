import { fail } from '../errors.ts'
import type { Attribute } from '../fields/field-type.ts'

export interface SortKey {
  readonly attribute: Attribute
  readonly descending: boolean
}

/** Reads `-f12,add_time` (JSON:API 1.1, sorting). An empty text asks for no order. @throws `sort.…` */
export function parseSort(text: string, attributes: ReadonlyMap<string, Attribute>): SortKey[] {
  if (text === '') return []
  const seen = new Set<string>()
  let position = 0
  return text.split(',').map((key) => {
    const where = { source: { parameter: 'sort' }, meta: { position, expected: 'an attribute' } }
    position += key.length + 1
    const descending = key.startsWith('-')
    const name = descending ? key.slice(1) : key
    const attribute = attributes.get(name)
    if (!attribute) throw fail('sort.unknown_attribute', { name }, where)
    if (seen.has(name)) throw fail('sort.repeated_attribute', { name }, where)
    seen.add(name)
    return { attribute, descending }
  })
}
