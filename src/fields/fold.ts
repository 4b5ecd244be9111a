/**
 * The form in which texts are compared (decisions section 5): NFC, lower case code point by code point so that a
 * letter's case does not depend on its neighbours, NFC again, ё as е, ς as σ. ß stays ß, № stays №. Done here and not
 * in the database, so that every store gives the same answer. Folding what is folded changes nothing.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let lower = ''
  for (const character of text.normalize('NFC')) lower += character.toLowerCase()
  const folded = lower.normalize('NFC').replaceAll('ς', 'σ')
  if (!folded.includes('ё')) return folded
  // A second diaeresis after the one in ё would make a new ё of the bare letter.
  return folded.replace(/ё\p{M}*/gu, (letter) => `е${letter.slice(1).replaceAll(DIAERESIS, '')}`).normalize('NFC')
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/
const DIAERESIS = '\u0308'
