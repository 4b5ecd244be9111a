/* How the person has left the columns of a table, in this browser. */

export interface Kept {
  readonly columns?: string | undefined
}

const keyOf = (person: string, table: string) => `table ${person} ${table}`

export function kept(person: string, table: string): Kept {
  try {
    const value = JSON.parse(localStorage.getItem(keyOf(person, table)) ?? '{}') as Kept | null
    return {
      columns: typeof value?.columns === 'string' ? value.columns : undefined,
    }
  } catch {
    return {}
  }
}

export function keep(person: string, table: string, change: Kept): void {
  try {
    localStorage.setItem(keyOf(person, table), JSON.stringify({ ...kept(person, table), ...change }))
  } catch {
    // A browser may allow no storage: then it is as usual the next time.
  }
}
