/** A sentence as it stands behind a colon: with a small letter, unless its first word is an abbreviation or a name such as PostgreSQL. */
export const afterColon = (sentence: string): string =>
  sentence.replace(/^\p{Lu}(?!\p{Ll}*[\p{Lu}\p{N}_])/u, (letter) => letter.toLowerCase())
