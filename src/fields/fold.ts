import { textOf } from './forms/code-units.ts'
import { hasLongRun, isMark } from './forms/marks.ts'
import { atOnce, type Steps } from './steps.ts'

/**
 * The form in which texts are compared (DECISIONS Q2, Q3): NFC, lower case code point by code point so that a
 * letter's case does not depend on its neighbours, NFC again, ё as е, ς as σ. ß stays ß, № stays №. Done here and not
 * in the database, so that every store gives the same answer. Folding what is folded changes nothing.
 */
export const fold = (text: string): string => atOnce(folding(text))

/** The same a step at a time. */
export function* folding(text: string): Steps<string> {
  if (ASCII.test(text)) return text.toLowerCase()
  if (text.length <= PIECE) return foldedSimply(text) ?? foldedFully(text, formOf(text))
  const pieces: string[] = []
  // Normalised in whole or not at all.
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

/** Code units that are folded at once, at least, and in one step. */
const [PIECE, STEP] = [1_024, 16_384]

/** The first place from here on where the text can be divided, so that what is before says nothing of what follows. */
function endOfPiece(text: string, from: number): number {
  let end = Math.min(from, text.length)
  while (end < text.length && !isBoundary(text, end)) end++
  return end
}

/**
 * Whether a letter stands here that no normalisation combines with those before it, nor reorders: no mark, no vowel or final of
 * Hangul, and none of the Indian scripts beyond the first plane, a few vowels of which are no marks.
 */
function isBoundary(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit < 0xd800 || unit > 0xdfff) return !isMark(unit) && (unit < 0x1160 || unit > 0x11ff)
  const point = text.codePointAt(at)!
  return point > 0xffff && !isMark(point) && (point < 0x11000 || point > 0x16fff)
}

/**
 * What becomes of each code unit that stands for itself, whatever stands beside it; 0 for all others and for those not looked up
 * yet. Most letters are of this kind.
 */
const simpleFolds = new Uint16Array(0x10000)
const lookedUp = new Uint8Array(0x100)
const scratch = new Uint16Array(PIECE * 2)
const decoder = new TextDecoder('utf-16le', { ignoreBOM: true })
/** Code units from which the decoder is quicker. */
const DECODED = 100

/** Undefined where a unit of the text does not stand for itself. */
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

/** The text in NFC and lower case with е for ё and σ for ς, in one pass: a call for each letter would cost ten times as much. */
function withoutVariants(text: string, form: Form): string {
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

/** Code units up to which a text is normalised whatever it is: even if all are marks, that takes less than a millisecond. */
const SHORT = 1_000

/**
 * Whether a text can be normalised in time: to sort many marks in a row takes the square of their number. One that cannot
 * was stored before there was this limit, or is about to be refused.
 */
const canBeNormalised = (text: string): boolean => text.length <= SHORT || !hasLongRun(text)

const nfc: Form = (text) => text.normalize('NFC')
const same: Form = (text) => text
const formOf = (text: string): Form => (canBeNormalised(text) ? nfc : same)

/** The text in NFC, where it can be normalised in time. No other file normalises texts (lint `normalised-in-one-place`). */
export const normalized = (text: string): string => formOf(text)(text)

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/
