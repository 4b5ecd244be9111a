import { hasLongRun, isMark } from './forms/marks.ts'

/**
 * The form in which texts are compared (DECISIONS Q2, Q3): NFC, lower case code point by code point so that a
 * letter's case does not depend on its neighbours, NFC again, ё as е, ς as σ. ß stays ß, № stays №. Done here and not
 * in the database, so that every store gives the same answer. Folding what is folded changes nothing.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const form = canBeNormalised(text) ? nfc : same
  const normal = form(text)
  const lower = normal.toLowerCase()
  const folded = lower === normal ? normal : form(lower)
  return folded.includes('ё') || folded.includes('ς') ? withoutVariants(folded, form) : folded
}

const [IO, IE, DIAERESIS, FINAL_SIGMA, SIGMA] = Array.from('ёе\u0308ςσ', (letter) => letter.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
  number,
]

/** The text in NFC and lower case with е for ё and σ for ς, in one pass: a call for each letter would cost ten times as much. */
function withoutVariants(text: string, form: (text: string) => string): string {
  const units = new Uint16Array(text.length)
  let length = 0
  let isMarked = false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    units[length++] = unit === FINAL_SIGMA ? SIGMA : unit === IO ? IE : unit
    if (unit !== IO) continue
    // A second diaeresis after the one in ё would make a new ё of the bare letter; other marks may make another letter of it.
    for (let point; (point = text.codePointAt(i + 1)) !== undefined && isMark(point); i += point > 0xffff ? 2 : 1) {
      isMarked = true
      if (point === DIAERESIS) continue
      units[length++] = text.charCodeAt(i + 1)
      if (point > 0xffff) units[length++] = text.charCodeAt(i + 2)
    }
  }
  const bare = textOf(units.subarray(0, length))
  return isMarked ? form(bare) : bare
}

/** Code units that one call makes a text of: each is an argument of it. */
const CHUNK = 8_192

function textOf(units: Uint16Array): string {
  let text = ''
  for (let i = 0; i < units.length; i += CHUNK) text += String.fromCharCode.apply(null, units.subarray(i, i + CHUNK) as unknown as number[])
  return text
}

/** Code units up to which a text is normalised whatever it is: even if all are marks, that takes less than a millisecond. */
const SHORT = 1_000

/**
 * Whether a text can be normalised in time: to sort many marks in a row takes the square of their number. One that cannot
 * was stored before there was this limit, or is about to be refused.
 */
const canBeNormalised = (text: string): boolean => text.length <= SHORT || !hasLongRun(text)

const nfc = (text: string): string => text.normalize('NFC')
const same = (text: string): string => text

/** The text in NFC, where it can be normalised in time. No other file normalises texts (lint `normalised-in-one-place`). */
export const normalized = (text: string): string => (canBeNormalised(text) ? nfc(text) : text)

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/
