/* How the person has left the columns of a table, in this browser. */

export interface Kept {
  readonly columns?: string | undefined
  readonly figures?: Readonly<Record<string, string | undefined>> | undefined
}

const keyOf = (person: string, table: string) => `table ${person} ${table}`

export function kept(person: string, table: string): Kept {
  try {
    const value = JSON.parse(localStorage.getItem(keyOf(person, table)) ?? '{}') as Kept | null
    return {
      columns: typeof value?.columns === 'string' ? value.columns : undefined,
      figures: typeof value?.figures === 'object' && value.figures !== null ? value.figures : undefined,
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
