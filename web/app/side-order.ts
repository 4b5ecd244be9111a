/** Those that are named come first, in the order in which they are named; the others stay in theirs. */
export function inOrder<Item extends { readonly id: string }>(items: readonly Item[], order: readonly string[]): readonly Item[] {
  const places = new Map(order.map((id, at) => [id, at]))
  const place = ({ id }: Item) => places.get(id) ?? order.length
  return [...items].sort((one, other) => place(one) - place(other))
}

/** The list after one of it has taken the place of another. */
export function moved(ids: readonly string[], id: string, to: string): readonly string[] {
  const [from, at] = [ids.indexOf(id), ids.indexOf(to)]
  if (from < 0 || at < 0) return ids
  return ids.toSpliced(from, 1).toSpliced(at, 0, id)
}
