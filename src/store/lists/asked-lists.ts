import type { Attribute } from '../../fields/field-type.ts'
import { print, type Expression } from '../../filter/ast.ts'
import type { Condition } from '../../filter/check.ts'
import type { SortKey } from '../../filter/sort.ts'
import { setLast } from '../../memory/lru.ts'
import type { AskedList } from '../ground/pages.ts'
import { orderText } from '../sets/record-order.ts'

/*
 * Which lists are asked for most. Only filters by lists, people, references and switches are remembered: what people look for in texts, numbers and
 * dates stays with them, and is seldom asked again.
 */

/** Lists that are counted; and the characters of their filter, at most. */
const COUNTED = 500
const LONGEST = 1_000
/** Uses from which on a list is one that people ask again. */
const OFTEN = 3

const hasFewValues = ({ type }: Attribute): boolean => type.kind === 'choice' || type.target !== undefined || type.widget === 'switch'

/** A step along a reference, and words, may hold what people look for in texts, whatever field they begin at. */
function isRemembered(condition: Condition): boolean {
  switch (condition.is) {
    case 'apply':
    case 'among':
      return hasFewValues(condition.attribute)
    case 'not':
      return isRemembered(condition.term)
    case 'and':
    case 'or':
      return condition.terms.every(isRemembered)
    case 'search':
    case 'across':
      return false
  }
}

export interface AskedLists {
  note(tableId: number, filter: Expression | undefined, condition: Condition | undefined, sort: readonly SortKey[]): void
  /** The most asked first. */
  most(count: number): readonly AskedList[]
}

export function askedLists(): AskedLists {
  const uses = new Map<string, { readonly list: AskedList; count: number }>()
  return {
    note(tableId, filter, condition, sort) {
      if (!filter && sort.length === 0) return
      if (condition && !isRemembered(condition)) return
      const list = { tableId, filter: filter ? print(filter) : '', sort: orderText(sort) }
      if (list.filter.length > LONGEST) return
      const key = `${tableId} ${list.sort} ${list.filter}`
      setLast(uses, key, { list, count: (uses.get(key)?.count ?? 0) + 1 }, COUNTED)
    },
    most: (count) =>
      Array.from(uses.values())
        .filter((one) => one.count >= OFTEN)
        .sort((one, other) => other.count - one.count)
        .slice(0, count)
        .map(({ list }) => list),
  }
}
