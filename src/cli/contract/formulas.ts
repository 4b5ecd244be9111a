/*
 * A spreadsheet treats a cell that begins with certain characters as a formula, which may send data to other servers. An apostrophe in
 * front makes it text (OWASP, "CSV Injection").
 */

/** A formula, also one after apostrophes: those are part of the value, so one more is added and removed again. */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
/** A cell that is only a number is no formula, and stays as it is. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/

const isFormula = (cell: string): boolean => FORMULA.test(cell) && !NUMBER.test(cell)

/** The cell as text for every spreadsheet. `armed` restores it exactly. */
export const defused = (cell: string): string => (isFormula(cell) ? `'${cell}` : cell)

export const armed = (cell: string): string => (cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell)
