const FIELD = /^f\d+$/

/** For who named an attribute in another way, such as by the title of its field: how fields are named here. Nothing where there are none. */
export function likeOthers(name: string, attributes: Iterable<string>): { readonly name: string; readonly like?: string } {
  const named = { name: name.slice(0, 100) }
  if (FIELD.test(name)) return named
  for (const one of attributes) if (FIELD.test(one)) return { ...named, like: one }
  return named
}
