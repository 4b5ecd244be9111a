/* Values and names in programs. They come from people: none of them may leave its quotes or its comment. */

/** Characters of a name in a comment. */
const LONGEST = 60

/** In a comment: one line, nothing invisible, and no end of PHP. */
export const inComment = (name: string): string =>
  Array.from(name.replace(/\p{C}|\p{Zl}|\p{Zp}/gu, ' ').replaceAll('?>', '? >'))
    .slice(0, LONGEST)
    .join('')
    .trim()
/** zsh reads what stands after # as a command when it is pasted, and bash replaces !: only letters, digits and what means nothing to either. */
export const inShellComment = (name: string): string => inComment(name).replace(/[^\p{L}\p{M}\p{N} .,_%+-]/gu, ' ').replace(/ +/g, ' ').trim() // prettier-ignore

export const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu
const codePoint = (character: string) => character.codePointAt(0)!.toString(16)
export const units = (character: string) => Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('') // prettier-ignore

/** Within single quotes, nothing means anything to a shell. */
export const shellString = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
export const jsString = (text: string): string => JSON.stringify(text).replace(INVISIBLE, units)
export const pythonString = (text: string): string =>
  JSON.stringify(text).replace(INVISIBLE, (one) => (one.length > 1 ? `\\U${codePoint(one).padStart(8, '0')}` : units(one)))
export const phpString = (text: string): string =>
  text.match(INVISIBLE)
    ? `"${text.replace(/[\\"$]/g, String.raw`\$&`).replace(INVISIBLE, (one) => `\\u{${codePoint(one)}}`)}"`
    : `'${text.replace(/[\\']/g, String.raw`\$&`)}'`
