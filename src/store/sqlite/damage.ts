/** What SQLite says of a file that it does not take for a sound database. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error && /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code))
