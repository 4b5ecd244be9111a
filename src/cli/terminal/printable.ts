/*
 * What a terminal obeys instead of showing: control characters (C0, DEL, C1), what changes the direction of text
 * (Unicode, UAX #9: embeddings, overrides, isolates) and the separators of lines and paragraphs.
 */
// oxlint-disable-next-line no-control-regex -- they are what it is about
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/g

/** The text with what a terminal would obey written as \u001b, which JSON reads as the same. */
export const printable = (text: string): string =>
  text.toWellFormed().replace(OBEYED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same for a text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')
