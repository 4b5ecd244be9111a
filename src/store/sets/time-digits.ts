/* Dates and times as numbers of their digits, which `digitsOf` of a dialect gives in SQL: 2026-11-30 is 20261130. */

export const digitsOf = (time: string): number => Number(time.replaceAll(/\D/g, ''))

/** `empty`: a time in the same form, of zeros. */
export function timeOf(digits: number, empty: string): string {
  const text = String(digits).padStart(empty.replaceAll(/\D/g, '').length, '0')
  let at = 0
  return empty.replaceAll('0', () => text[at++]!)
}
