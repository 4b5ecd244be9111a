import { limits } from '../../limits.ts'

/*
 * Runs of combining marks. Normalising a text sorts the marks after each letter, in time with the square of their number. So their number
 * is bounded, as in the Stream-Safe Text Format of UAX #15.
 */

const MARK = /\p{M}/u
/** No mark is below it. V8 knows that a string of one byte per character has none, without a search. */
const FIRST_MARK = 0x300
const PERHAPS_MARK = /[\u0300-\uffff]/
/** By code point: IS_OTHER or IS_MARK; 0 until its block of 256 is looked up. */
const kinds = new Uint8Array(0x110000)
const [IS_OTHER, IS_MARK] = [1, 2]

/** Whether the text has more marks in a row than is allowed. Takes time in proportion to its length. */
export function hasLongRun(text: string): boolean {
  const first = text.search(PERHAPS_MARK)
  if (first < 0) return false
  let run = 0
  for (let i = first; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < FIRST_MARK) {
      run = 0
      continue
    }
    const point = unit >= 0xd800 && unit <= 0xdbff ? text.codePointAt(i)! : unit
    if (point > 0xffff) i++
    if (!isMark(point)) run = 0
    else if (++run > limits.marks.most) return true
  }
  return false
}

/** Whether a code point is a combining mark (general category M). */
export const isMark = (point: number): boolean => (kinds[point] || kindOf(point)) === IS_MARK

function kindOf(point: number): number {
  const first = point & ~0xff
  kinds.fill(IS_OTHER, first, first + 256)
  for (let one = first; one < first + 256; one++) if (MARK.test(String.fromCodePoint(one))) kinds[one] = IS_MARK
  return kinds[point]!
}

/** The text with only the first marks of each run that is too long. */
export const withShortRuns = (text: string): string =>
  hasLongRun(text) ? text.replace(/\p{M}+/gu, (run) => [...run].slice(0, limits.marks.most).join('')) : text
