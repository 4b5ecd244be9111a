/* Records whose card is open. It tells what was saved of them, so a list beside it must not forget that. */

const shown = new Map<string, number>()

/** Returns what ends it. */
export function showsRecord(table: number, record: string): () => void {
  const key = `${table} ${record}`
  shown.set(key, (shown.get(key) ?? 0) + 1)
  return () => {
    const left = (shown.get(key) ?? 1) - 1
    if (left > 0) shown.set(key, left)
    else shown.delete(key)
  }
}

export const isShown = (table: number, record: string): boolean => shown.has(`${table} ${record}`)
