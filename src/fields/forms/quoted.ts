const MOST = 60

/** A value as a sentence shows it: in quotes, cut short where it is long. */
export function quoted(text: string): string {
  if (text.length <= MOST) return `'${text}'`
  return `'${text.slice(0, MOST).replace(/[\ud800-\udbff]$/, '')}…'`
}
