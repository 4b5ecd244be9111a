/* The records of a table that a person has chosen last, in this browser: the ids alone. */

const MOST = 5

const keyOf = (person: string, table: number) => `chosen ${person} ${table}`

export function recentOf(person: string, table: number): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(keyOf(person, table)) ?? '[]')
    return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === 'string' && /^[1-9]\d{0,15}$/.test(id)).slice(0, MOST) : []
  } catch {
    return []
  }
}

export function rememberChosen(person: string, table: number, ids: readonly string[]): void {
  try {
    localStorage.setItem(keyOf(person, table), JSON.stringify([...new Set([...ids, ...recentOf(person, table)])].slice(0, MOST)))
  } catch {
    // A browser may allow no storage: then the newest records come first.
  }
}
