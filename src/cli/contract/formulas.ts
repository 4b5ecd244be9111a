/*
 * A spreadsheet takes a cell that begins with certain characters as a formula, which may fetch and send. An apostrophe
 * before it makes it a text (OWASP, "CSV Injection").
 */

/** Also with apostrophes before it, so that one more can always be told from those that belong to the value. */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
/** Nothing but a number is none, and stays one. */
const NUMBER = /^[+-]?\d+(\.\d+)?$/

const isFormula = (cell: string): boolean => FORMULA.test(cell) && !NUMBER.test(cell)

/** The cell as a text in every spreadsheet; `armed` gives it back exactly, whatever it is. */
export const defused = (cell: string): string => (isFormula(cell) ? `'${cell}` : cell)

export const armed = (cell: string): string => (cell.startsWith("'") && isFormula(cell.slice(1)) ? cell.slice(1) : cell)
