import { limits } from '../../limits.ts'

/*
 * Runs of combining marks. To normalise a text is to sort the marks behind each letter, which costs the square of their
 * number; so their number is bounded, as in the stream-safe text format of UAX #15.
 */

const MARK = /\p{M}/u
/** By block of 256 code points, which of them are marks; undefined: not asked yet. */
const blocks = Array.from<Uint8Array | undefined>({ length: 0x1100 })
const withoutMarks = new Uint8Array(256)

/** Whether the text has more marks in a row than is allowed. Takes time in proportion to its length. */
export function hasLongRun(text: string): boolean {
  let run = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    // Below are letters without marks only.
    if (unit < 0x300) {
      run = 0
      continue
    }
    const point = unit >= 0xd800 && unit <= 0xdbff ? text.codePointAt(i)! : unit
    if (point > 0xffff) i++
    if ((blocks[point >> 8] ?? blockOf(point >> 8))[point & 0xff] === 0) run = 0
    else if (++run > limits.marks.most) return true
  }
  return false
}

function blockOf(number: number): Uint8Array {
  const characters = Array.from({ length: 256 }, (_, i) => String.fromCodePoint((number << 8) + i))
  const block = MARK.test(characters.join('')) ? Uint8Array.from(characters, (one) => Number(MARK.test(one))) : withoutMarks
  blocks[number] = block
  return block
}

/** The text without the marks that are too many in a row. */
export const withShortRuns = (text: string): string =>
  hasLongRun(text) ? text.replace(/\p{M}+/gu, (run) => [...run].slice(0, limits.marks.most).join('')) : text
