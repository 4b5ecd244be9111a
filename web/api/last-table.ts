/* The table that was open last, in this browser. */

const KEY = 'table'

export function lastTable(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined
  } catch {
    return undefined
  }
}

export function rememberTable(id: string): void {
  try {
    localStorage.setItem(KEY, id)
  } catch {
    // A browser may allow no storage: then the first page is that of the first table.
  }
}
