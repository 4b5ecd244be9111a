/** Fields under one heading; '' for those without. */
export interface Section<Item> {
  readonly title: string
  readonly fields: readonly Item[]
}

/** What is the same of names of one section: programs may write it in other letters than the pages. */
const folded = (section: string): string => section.trim().toLowerCase()

/** Fields without a section first, then the sections in the order of their first fields. A section without fields is none. */
export function sectionsOf<Item extends { readonly section: string }>(fields: readonly Item[]): readonly Section<Item>[] {
  const sections = Map.groupBy(fields, ({ section }) => folded(section))
  const first = sections.get('')
  sections.delete('')
  const titled = [...sections.values()].map((inside) => ({ title: inside[0]!.section.trim(), fields: inside }))
  return first ? [{ title: '', fields: first }, ...titled] : titled
}

/** The name as it is written already, where only its letters' case or the spaces around it differ. */
export const sameSection = (typed: string, titles: readonly string[]): string => {
  const name = typed.trim()
  return titles.find((one) => one === name) ?? titles.find((one) => folded(one) === folded(name)) ?? name
}

export const titlesOf = (fields: readonly { readonly section: string }[]): readonly string[] =>
  sectionsOf(fields).flatMap(({ title }) => (title === '' ? [] : title))
