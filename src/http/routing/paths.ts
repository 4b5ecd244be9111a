/*
 * Paths of routes in the syntax of the router. An id is a number without leading zeros; a path with anything else in its place is
 * not found.
 */

const PLACE = /\{([a-z]+)(?::(text|rest))?\}/gi

type Kind = 'text' | 'rest' | undefined

/** A parameter of a path in the syntax of the router. */
const inRouter = (name: string, kind: Kind): string => (kind === 'rest' ? '*' : kind === 'text' ? `:${name}` : `:${name}(^[1-9]\\d*$)`)
const nameInRouter = (name: string, kind: Kind): string => (kind === 'rest' ? '*' : name)

/** `/api/dev/data{table}/{record}` in the syntax of the router. */
export const routerPath = (path: string): string => path.replace(PLACE, (_, name: string, kind: Kind) => inRouter(name, kind))

/** A pattern for the decoded paths of a route, to distinguish a wrong method (405) from a wrong address (404). */
export const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(PLACE, (_, __: string, kind: Kind) => taken[kind ?? 'id'])}/?$`, 's')

const taken = { text: '[^/]+', rest: '.+', id: '[1-9]\\d*' } as const

/** Reads the router's parameters; undefined where an id is too large for a number to represent exactly. */
export function paramsReader(
  path: string,
): (raw: Readonly<Record<string, string>>) => Readonly<Record<string, string | number>> | undefined {
  const places = [...path.matchAll(PLACE)].map(([, name, kind]) => ({
    name: name!,
    raw: nameInRouter(name!, kind as Kind),
    isText: kind !== undefined,
  }))
  return (raw) => {
    const params: Record<string, string | number> = {}
    for (const { name, raw: rawName, isText } of places) {
      const sent = raw[rawName]!
      const value = isText ? sent : Number(sent)
      if (!isText && !Number.isSafeInteger(value)) return undefined
      params[name] = value
    }
    return params
  }
}
