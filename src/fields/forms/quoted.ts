/** The most code units shown. */
const MOST = 60

/** A value for a message: in quotes, and cut if it is long. */
export function quoted(text: string): string {
  if (text.length <= MOST) return `'${text}'`
  return `'${text.slice(0, MOST).replace(/[\ud800-\udbff]$/, '')}…'`
}
