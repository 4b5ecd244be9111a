/*
 * Characters that control a terminal instead of being shown: control characters (C0, DEL, C1), characters that change the direction
 * of text (Unicode, UAX #9: embeddings, overrides, isolates) and separators of lines and paragraphs.
 */
// oxlint-disable-next-line no-control-regex -- the pattern is for control characters
const OBEYED = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029]/g

/** The text with these characters escaped, such as \u001b, which means the same in JSON. */
export const printable = (text: string): string =>
  text.toWellFormed().replace(OBEYED, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same for a text of several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n')
