import { textOf } from './forms/code-units.ts'
import { hasLongRun, isMark } from './forms/marks.ts'
import { atOnce, type Steps } from './steps.ts'

/**
 * The form in which texts are compared (DECISIONS Q2, Q3): NFC, then lower case, then NFC again, with е for ё and σ for ς. ß and № stay.
 * Lower case is made code point by code point, so it does not depend on neighbours. Not done by the database, so that all engines
 * give the same result. Folding a folded text changes nothing.
 */
export const fold = (text: string): string => atOnce(folding(text))

/** The same in steps. */
export function* folding(text: string): Steps<string> {
  if (ASCII.test(text)) return text.toLowerCase()
  if (text.length <= PIECE) return foldedSimply(text) ?? foldedFully(text, formOf(text))
  const pieces: string[] = []
  // All pieces are normalised, or none: `formOf` decides for the whole text.
  let form: Form | undefined
  let changed = false
  for (let from = 0, next = STEP; from < text.length;) {
    const piece = text.slice(from, endOfPiece(text, from + PIECE))
    const folded = foldedSimply(piece) ?? foldedFully(piece, (form ??= formOf(text)))
    changed ||= folded !== piece
    pieces.push(folded)
    from += piece.length
    if (from < next) continue
    next = from + STEP
    yield
  }
  return changed ? pieces.join('') : text
}

/** Code units: the least of a piece that is folded at once, and those of one step. */
const [PIECE, STEP] = [1_024, 16_384]

/** The first offset from `from` on at which the text can be divided without changing how either part is folded. */
function endOfPiece(text: string, from: number): number {
  let end = Math.min(from, text.length)
  while (end < text.length && !isBoundary(text, end)) end++
  return end
}

/**
 * Whether NFC never combines or reorders the character at `at` with those before it. Not so for marks, Hangul vowels and finals, and
 * U+11000 to U+16FFF, which has Indic vowels that are not marks.
 */
function isBoundary(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 0xd800 || unit > 0xdfff) return !isMark(unit) && (unit < 0x1160 || unit > 0x11ff)
  const point = text.codePointAt(at)!
  return point > 0xffff && !isMark(point) && (point < 0x11000 || point > 0x16fff)
}

/** By code unit, its folded code unit, if that does not depend on its neighbours, as for most letters; 0 for all others and until it is looked up. */
const simpleFolds = new Uint16Array(0x10000)
const lookedUp = new Uint8Array(0x100)
const scratch = new Uint16Array(PIECE * 2)
const decoder = new TextDecoder('utf-16le', { ignoreBOM: true })
/** Code units of a text from which the decoder is faster. */
const DECODED = 100

/** The folded text by a look-up of each code unit; undefined if one of them has no entry in `simpleFolds`. */
function foldedSimply(text: string): string | undefined {
  if (text.length > scratch.length) return undefined
  let changed = false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const folded = simpleFold(unit)
    if (folded === 0) return undefined
    if (folded !== unit) changed = true
    scratch[i] = folded
  }
  if (!changed) return text
  const units = scratch.subarray(0, text.length)
  return text.length < DECODED ? textOf(units) : decoder.decode(units)
}

const simpleFold = (unit: number): number => simpleFolds[unit] || (lookedUp[unit >> 8] ? 0 : lookUp(unit))

function lookUp(unit: number): number {
  const block = unit >> 8
  lookedUp[block] = 1
  for (let one = block << 8; one < (block + 1) << 8; one++) {
    const isPart = (one >= 0x1100 && one < 0x1200) || (one >= 0xd7b0 && one < 0xe000) || isMark(one)
    const folded = isPart ? '' : foldedFully(String.fromCharCode(one), nfc)
    if (folded.length === 1) simpleFolds[one] = folded.charCodeAt(0)
  }
  return simpleFolds[unit]!
}

type Form = (text: string) => string

function foldedFully(text: string, form: Form): string {
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

/** The text, in NFC and lower case, with е for ё and σ for ς, in one pass. A call for each letter would take ten times as long. */
function withoutVariants(text: string, form: Form): string {
  const units = new Uint16Array(text.length)
  let length = 0
  let isMarked = false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    units[length++] = unit === FINAL_SIGMA ? SIGMA : unit === IO ? IE : unit
    if (unit !== IO) continue
    // A further diaeresis is dropped, since NFC would make ё again. Other marks are kept; NFC may combine е with them.
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

/** Code units up to which every text is normalised: even for marks only it takes less than a millisecond. */
const SHORT = 1_000

/**
 * Whether a text can be normalised in time. Sorting a run of marks takes time with the square of its length. Texts with longer runs were
 * stored before this limit existed, or are refused later.
 */
const canBeNormalised = (text: string): boolean => text.length <= SHORT || !hasLongRun(text)

const nfc: Form = (text) => text.normalize('NFC')
const same: Form = (text) => text
const formOf = (text: string): Form => (canBeNormalised(text) ? nfc : same)

/** The text in NFC; unchanged if normalising takes too long. No other file normalises texts (lint `normalised-in-one-place`). */
export const normalized = (text: string): string => formOf(text)(text)

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/
