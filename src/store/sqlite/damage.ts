/** Whether SQLite reports that the file is damaged or no database. */
export const isDamage = (error: unknown): boolean =>
  error instanceof Error && /^SQLITE_(CORRUPT|NOTADB)/.test(String((error as { code?: unknown }).code))
