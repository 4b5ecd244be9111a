/** Several values are kept as `-1-22-`. */
export const idsIn = (text: string): string[] => text.split('-').filter((id) => id !== '')
export const idsOf = (ids: readonly string[]): string => (ids.length === 0 ? '' : `-${ids.join('-')}-`)

/** A record, user or group by its title, or by its id where the title is not known. */
export const titled = (title: string | undefined, id: string): string => title ?? `#${id}`
