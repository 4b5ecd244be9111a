import { fail } from '../errors.ts'
import type { Attribute } from '../fields/field-type.ts'
import { likeOthers } from '../fields/named.ts'
import { limits } from '../limits.ts'

export interface SortKey {
  readonly attribute: Attribute
  readonly descending: boolean
}

/** Parses `-f12,add_time` (JSON:API 1.1, sorting). '' is no order. @throws `sort.…` */
export function parseSort(text: string, attributes: ReadonlyMap<string, Attribute>): SortKey[] {
  if (text === '') return []
  const seen = new Set<string>()
  let position = 0
  const keys = text.split(',', limits.sortAttributes.most + 1)
  if (keys.length > limits.sortAttributes.most)
    throw fail('sort.too_many_attributes', { most: limits.sortAttributes.most }, { expression: 'sort' })
  return keys.map((key) => {
    const where = { expression: 'sort', meta: { position, expected: 'an attribute' } }
    position += key.length + 1
    const descending = key.startsWith('-')
    const name = descending ? key.slice(1) : key
    const attribute = attributes.get(name)
    if (!attribute) throw fail('sort.unknown_attribute', likeOthers(name, attributes.keys()), where)
    if (seen.has(name)) throw fail('sort.repeated_attribute', { name }, where)
    seen.add(name)
    return { attribute, descending }
  })
}
