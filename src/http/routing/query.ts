import { fail, Failure } from '../../errors.ts'
import type { Incoming, Reader, Route } from './route.ts'

type Pairs = Incoming['pairs']
type Readers = Readonly<Record<string, Reader<unknown>>>

/** The parameters of a request as its route reads them. */
export interface Query {
  readonly pairs: Pairs
  readonly parameters: ReadonlyMap<string, string>
  readonly query: Readonly<Record<string, unknown>>
}

/** Decodes a form-encoded text once: `+` is a blank, escapes are UTF-8. @throws `parameter.malformed` */
export const decodeQuery = (text: string): Pairs => [...decoded(text)]

function* decoded(text: string): Generator<Pairs[number]> {
  for (let from = 0, to: number; from < text.length; from = to + 1) {
    to = text.indexOf('&', from)
    if (to < 0) to = text.length
    if (to === from) continue
    const piece = text.slice(from, to)
    const end = piece.indexOf('=')
    const [name, value] = end < 0 ? [piece, ''] : [piece.slice(0, end), piece.slice(end + 1)]
    yield [decode(name, name), decode(value, name)]
  }
}

function decode(text: string, parameter: string): string {
  if (!/[%+]/.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw fail('parameter.malformed', undefined, { source: { parameter: parameter.slice(0, 100) } })
  }
}

/** The parameters of a request that sends none. */
export const defaults = (readers: Readers): Query => ({ pairs: [], parameters: new Map(), query: read(readers, new Map()) })

/** @throws for a parameter that the route does not know, one that is there twice, and one that its reader refuses. */
export function readQuery(text: string, route: Pick<Route, 'query' | 'legacyFilter' | 'sparseFields'>): Query {
  const pairs: (readonly [string, string])[] = []
  const parameters = new Map<string, string>()
  // One by one, so that nothing after the first wrong parameter is decoded.
  for (const pair of decoded(text)) {
    const [name, value] = pair
    const older = route.legacyFilter === true && name.startsWith('filter[')
    const known = older || Object.hasOwn(route.query, name) || (route.sparseFields !== undefined && /^fields\[.+\]$/s.test(name))
    if (!known) throw unknown(name, route)
    if (parameters.has(name) && !older) throw fail('parameter.repeated', { name }, { source: { parameter: name } })
    parameters.set(name, value)
    pairs.push(pair)
  }
  return { pairs, parameters, query: read(route.query, parameters) }
}

function unknown(name: string, { query, sparseFields }: Pick<Route, 'query' | 'sparseFields'>): Failure {
  const known = [...Object.keys(query), ...(sparseFields === undefined ? [] : ['fields[…]'])]
  const sentence = { name: name.slice(0, 100), ...(known.length > 0 && { known: known.join(', ') }) }
  return fail('parameter.unknown', sentence, { source: { parameter: name } })
}

function read(readers: Readers, parameters: ReadonlyMap<string, string>): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(readers)) {
    try {
      values[name] = readers[name]!(parameters.get(name))
    } catch (error) {
      throw error instanceof Failure && !error.isPlaced ? error.at({ source: { parameter: name } }) : error
    }
  }
  return values
}
