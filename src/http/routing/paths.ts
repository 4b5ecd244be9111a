/*
 * Paths of routes as the router wants them. An id is a number without leading zeros; what else stands in its place
 * names nothing.
 */

const PLACE = /\{([a-z]+)(:text)?\}/gi

/** `/api/dev/data{table}/{record}` in the router's spelling. */
export const routerPath = (path: string): string =>
  path.replace(PLACE, (_, name: string, text?: string) => (text ? `:${name}` : `:${name}(^[1-9]\\d*$)`))

/** Which decoded paths a route answers, for telling a wrong method from a wrong address. */
export const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(PLACE, (_, __: string, text?: string) => (text ? '[^/]+' : '[1-9]\\d*'))}/?$`, 's')

/** Reads the router's parameters; undefined where an id is beyond what numbers hold exactly. */
export function paramsReader(
  path: string,
): (raw: Readonly<Record<string, string>>) => Readonly<Record<string, string | number>> | undefined {
  const places = [...path.matchAll(PLACE)].map(([, name, text]) => ({ name: name!, isText: text !== undefined }))
  return (raw) => {
    const params: Record<string, string | number> = {}
    for (const { name, isText } of places) {
      const sent = raw[name]!
      const value = isText ? sent : Number(sent)
      if (!isText && !Number.isSafeInteger(value)) return undefined
      params[name] = value
    }
    return params
  }
}
