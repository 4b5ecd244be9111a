/*
 * A spreadsheet treats a cell that begins with certain characters as a formula, which may send data to other servers. An apostrophe in
 * front makes it text (OWASP, "CSV Injection").
 */

/** A formula, also one after apostrophes: those are part of the value, so one more is added and removed again. */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
/** A cell that is only a number is no formula, and stays as it is. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/

const isFormula = (cell: string): boolean => FORMULA.test(cell) && !NUMBER.test(cell)

/*
 * A program that splits lines at another character, as a spreadsheet does at `;` where the comma is the decimal sign, takes quotes within a
 * cell for part of it: a formula may begin behind such a character, or a line end. Behind `+`, `-` and `@` it needs `(`, `!` or `|` to do
 * harm: without them it is often a number, or an item of a list.
 */
const BEHIND = /(?<=[;|\t\r\n])(?=["']*(?:[=\uff1d]|[+\-@\uff0b\uff0d\uff20][^;|\t\r\n(!]*[(!|]))/g
/** The apostrophe that was written there. What follows it is the same, so `armed` finds exactly what `defused` has found. */
const DEFUSED_BEHIND = new RegExp(BEHIND.source.replace('(?=', "'(?="), 'g')

/** The cell as text for every spreadsheet. `armed` restores it exactly. */
export function defused(cell: string): string {
  const inner = cell.replace(BEHIND, "'")
  return isFormula(cell) ? `'${inner}` : inner
}

/** A line of CSV whose cells no spreadsheet runs. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\n`

function csvCell(value: string): string {
  const cell = defused(value)
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

export const armed = (cell: string): string =>
  (cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell).replace(DEFUSED_BEHIND, '')
