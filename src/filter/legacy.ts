import { fail } from '../errors.ts'
import { limits } from '../limits.ts'
import { place, type Call, type Expression, type Literal } from './ast.ts'

/*
 * The older form of filters (interface 9.1 to 9.8): filter[f38]=<50, filter[f6400]=text, filter[id][]=1&filter[id][]=2. It becomes the
 * same tree as an expression. Offsets in the tree are offsets into the value of the parameter.
 */

/** A query parameter, decoded. A name may come more than once. */
export type Entry = readonly [parameter: string, value: string]

const PARAMETER = /^filter\[([A-Za-z][A-Za-z0-9_]*)\](\[\])?$/
const OPERATOR = /^(?:[<>]=?|=)?/
const functions: Readonly<Record<string, string>> = { '': 'eq', '=': 'eq', '<': 'lt', '>': 'gt', '<=': 'lte', '>=': 'gte' }

/** All conditions, combined with `and`; `entries` is not empty. @throws `filter.malformed_parameter` with the parameter as its source. */
export function parseLegacy(entries: readonly Entry[]): Expression {
  const lists = Map.groupBy(entries, ([parameter]) => parameter)
  const conditions = entries.flatMap(([parameter, value]): Call[] => {
    const [, attribute, list] = PARAMETER.exec(parameter) ?? []
    if (attribute === undefined)
      throw fail('filter.malformed_parameter', { name: parameter }, place(0, 'a name such as filter[f12] or filter[f12][]', parameter))
    if (list === undefined) return [comparison(parameter, attribute, value)]
    const members = lists.get(parameter)
    lists.delete(parameter)
    return members
      ? [
          call(
            'in',
            parameter,
            attribute,
            members.map(([, member]) => literal(member, 0)),
          ),
        ]
      : []
  })
  // Counted are the conditions that were sent (interface 9.7), not the `and` that joins them here.
  const extra = conditions[limits.functionsPerFilter.most]
  if (extra)
    throw fail(
      'filter.too_many_functions',
      { most: limits.functionsPerFilter.most },
      place(0, `at most ${limits.functionsPerFilter.most} conditions`, extra.writtenIn),
    )
  return conditions.length === 1 ? conditions[0]! : { is: 'call', name: 'and', args: conditions, at: 0 }
}

function comparison(parameter: string, attribute: string, value: string): Call {
  const operator = OPERATOR.exec(value)![0]
  return call(functions[operator]!, parameter, attribute, [literal(value.slice(operator.length), operator.length)])
}

const call = (name: string, parameter: string, attribute: string, values: readonly Literal[]): Call => ({
  is: 'call',
  name,
  args: [{ is: 'name', name: attribute, at: 0 }, ...values],
  at: 0,
  writtenIn: parameter,
})

const literal = (text: string, at: number): Literal => ({ is: 'literal', text, quoted: true, at })
