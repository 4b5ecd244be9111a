/* The order of a list: attributes, separated by commas; with `-` before it the last comes first. */

export type Direction = 'ascending' | 'descending'

export const keysOf = (sort: string | undefined): string[] => (sort ?? '').split(',').filter((key) => key !== '')

export function directionOf(sort: string | undefined, attribute: string): Direction | undefined {
  const key = keysOf(sort).find((one) => one === attribute || one === `-${attribute}`)
  return key === undefined ? undefined : key.startsWith('-') ? 'descending' : 'ascending'
}

/** By this attribute alone, or besides the others. Undefined: in the order of the table. */
export function sortedBy(
  sort: string | undefined,
  attribute: string,
  direction: Direction | undefined,
  isAlso = false,
): string | undefined {
  const keys = isAlso ? keysOf(sort) : []
  const key = direction && `${direction === 'descending' ? '-' : ''}${attribute}`
  const at = keys.findIndex((one) => one === attribute || one === `-${attribute}`)
  if (at < 0) return (key ? [...keys, key] : keys).join(',') || undefined
  return keys.flatMap((one, i) => (i === at ? (key ? [key] : []) : [one])).join(',') || undefined
}
