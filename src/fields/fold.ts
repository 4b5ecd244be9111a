import { hasLongRun } from './forms/marks.ts'

/**
 * The form in which texts are compared (decisions section 5): NFC, lower case code point by code point so that a
 * letter's case does not depend on its neighbours, NFC again, ё as е, ς as σ. ß stays ß, № stays №. Done here and not
 * in the database, so that every store gives the same answer. Folding what is folded changes nothing.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  // Σ is the only letter whose lower case depends on its neighbours, and both of its forms become σ.
  const folded = normalized(normalized(text).toLowerCase()).replaceAll('ς', 'σ')
  if (!folded.includes('ё')) return folded
  // A second diaeresis after the one in ё would make a new ё of the bare letter.
  return normalized(folded.replace(/ё\p{M}*/gu, (letter) => `е${letter.slice(1).replaceAll(DIAERESIS, '')}`))
}

/** Code units up to which a text is normalised whatever it is: even if all are marks, that takes two milliseconds. */
const SHORT = 2_000

/**
 * The text in NFC, the only place where texts are normalised (lint `normalised-in-one-place`). A long text with more marks
 * in a row than values may have stays as it is, because to sort them would take the square of the time: it is one that was
 * stored before there was this limit, or one that is about to be refused.
 */
export const normalized = (text: string): string => (text.length <= SHORT || !hasLongRun(text) ? text.normalize('NFC') : text)

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/
const DIAERESIS = '\u0308'
