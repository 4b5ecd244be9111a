/**
 * The form in which texts are compared (decisions section 5): NFC, lower case code point by code point so that a
 * letter's case does not depend on its neighbours, NFC again, ё as е, ς as σ. ß stays ß, № stays №. Done here and not
 * in the database, so that every store gives the same answer.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  let lower = ''
  for (const character of text.normalize('NFC')) lower += character.toLowerCase()
  return lower.normalize('NFC').replaceAll('ё', 'е').replaceAll('ς', 'σ')
}

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/
