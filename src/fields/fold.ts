import { hasLongRun } from './forms/marks.ts'

/**
 * The form in which texts are compared (decisions section 5): NFC, lower case code point by code point so that a
 * letter's case does not depend on its neighbours, NFC again, ё as е, ς as σ. ß stays ß, № stays №. Done here and not
 * in the database, so that every store gives the same answer. Folding what is folded changes nothing.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const form = canBeNormalised(text) ? nfc : same
  // Σ is the only letter whose lower case depends on its neighbours, and both of its forms become σ.
  const folded = form(form(text).toLowerCase()).replaceAll('ς', 'σ')
  if (!folded.includes('ё')) return folded
  // A second diaeresis after the one in ё would make a new ё of the bare letter.
  const bare = folded.replace(/ё\p{M}+/gu, (letter) => letter.replaceAll(DIAERESIS, '')).replaceAll('ё', 'е')
  return form(bare)
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
const DIAERESIS = '\u0308'
