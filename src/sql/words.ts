/*
 * Words: how texts are searched (DECISIONS Q14). A word is a run of characters that are not separators. Separators are punctuation, symbols,
 * blanks and control characters (Unicode categories P, S, Z, Cc, Cf and Co), so a word consists of letters, marks and digits. Texts are
 * folded before.
 */

/**
 * The separators of Unicode 17: how many code points are none, then how many are, and so on, to base 36. Unassigned code points count as
 * their neighbours do. A table, so that every version of Node and every engine divides texts in the same way.
 */
// prettier-ignore
const SEPARATORS = [
  '0 1c a 7 q 6 q 1b 1 7 2 1 1 3 2 1 3 1 n 1 v 1 cq 4 c e 5 7 1 1 1 h 39 1 8 1 5 2 1 1 32 1 3v 1 5z 6 15 7 1a 1 1 1 2 1 2 1',
  '18 t b 5 22 4 2u 1 8 2 a 1 j 2 1 g 6e 4 4 2 1c f v 1 15 1 7 2 28 1 3l 2 a 1 3l 2 6 2 1 1 3c 1 3d 2 3i 1 3m 8 3g 1 7 1 4',
  '1 5m 1 15 1 3e 1 22 1 f 1 a 2 4l n 2 6 k 1 1 1 1 1 1 4 1z 1 1k 8 1 k 33 6 26 2 2j 1 h0 9 13 a 2u 1 h8 2 h 1 q 2 26 3 1z',
  '2 4d 3 1 4 10 b 3 1 8h 6 48 y u 2 3k 7 1 6 4g 2 a h 9 c 3g 4 1n 5 1q 2 1s 8 b 1 kp 1 1 3 b 3 d 3 d 3 d 37 a 5 b 5 h y 1q',
  '2 1 4 1 2 a 1 1 3 5 6 1 1 1 1 1 1 4 1 b 2 4 5 5 4 1 1 1m jl 29 26 m hi u vg 6d 6 e 4 1 2 34 1 3z 1b 1 d1 3 p f 1 5 2 5 3',
  '2j 2 3 1 2i 1 44 2 4 a w 1c g v b u 8 1 f w a 13 f 8w 534 1s h3k 1j 1j 2 7h 3 2r 1 a 1 37 11 9 2 2v 2 4d 4 a 4 1m 4 2e 2',
  '14 3 1 1 1d 2 1b 1 2p d g 2 3g 4 n 3 2s 2 g 2 2x 1 e 2 3j 1 aac 4xs fd 1 3s x a3 i 1s 2 1i 8 18 4 g a m 1o 43 h a 7 q 6',
  'q b 3e u 76 3 1g 9 1l h 2 35 bm 1 1c 1 bi 1 kn 1 v 2 4m 1 v 1 7k 9 12 1 20 1 13 7 1u 7 2h 4 cx 1 v 2 7x 1 y 9 3g 5 18 4',
  '59 7 31 7 b 1 36 4 1c 2 27 4 4 1 d 1 1 3 2g 6 2z 1 8a 5 36 5 a 4 2w 1 6y n 2x 3 s d 24 1 3m 4 6z 1 7c 3 4b 1 2k 8 2b 3 1',
  '5 2l a 5z 1 2n 5 16 2 hx 2 22 d 3p 17 vk 5 29o 2 u5 g apa 2 3p 1 1t 9 4 2 fb 3 87 4 93 1 f5l 1 2 381 a dz 2n et 5 3 6 8',
  '8 2 7 u 4 44 3 1 56 2f oa 1 p 1 v 1 p 1 v 1 p 1 v 1 p 1 v 1 p 1 1o e8 1j 4 1e 8 1 e 1 7 1c3 1 bz 1 lb 1 ny 2 ng 1 3 1 3h',
  '1 ch ee n 25f a 1 gvly 3j 1egw 2t4u',
].join(' ')

/** The first and the last separator of each range. */
const ranges: readonly (readonly [first: number, last: number])[] = rangesIn(SEPARATORS)

function rangesIn(lengths: string): [number, number][] {
  const numbers = lengths.split(' ').map((length) => parseInt(length, 36))
  const found: [number, number][] = []
  for (let i = 0, at = 0; i < numbers.length; i += 2) {
    const first = at + numbers[i]!
    at = first + numbers[i + 1]!
    found.push([first, at - 1])
  }
  return found
}

/** By code unit, 1 for a separator. Halves of surrogate pairs are none. */
const isSeparatorUnit = new Uint8Array(0x10000)
for (const [first, last] of ranges) if (first < 0x10000) isSeparatorUnit.fill(1, first, Math.min(last, 0xffff) + 1)
isSeparatorUnit.fill(0, 0xd800, 0xe000)

const above = ranges.filter(([, last]) => last > 0xffff)

const isSeparator = (point: number): boolean =>
  point > 0xffff ? above.some(([first, last]) => first <= point && point <= last) : isSeparatorUnit[point] === 1

/** The words of a folded text, in their order. */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  let from = -1
  for (let at = 0; at < text.length; at += sizeAt(text, at)) {
    if (isSeparator(text.codePointAt(at)!)) {
      if (from >= 0) words.push(text.slice(from, at))
      from = -1
    } else if (from < 0) from = at
  }
  if (from >= 0) words.push(text.slice(from))
  return words
}

const sizeAt = (text: string, at: number): number => (text.codePointAt(at)! > 0xffff ? 2 : 1)

/** Whether a word of a folded text begins with `part`, which is a word of at most 250 code units (V8 searches longer ones slowly). */
export function beginsWord(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    if (at === 0 || isSeparator(pointBefore(text, at))) return true
  return false
}

function pointBefore(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1)
  return unit >= 0xdc00 && unit <= 0xdfff && at > 1 ? text.codePointAt(at - 2)! : unit
}

/** The most characters of a word in an index. A search has no longer ones (limits.searchWord). */
export const LONGEST_WORD = 64

/** What divides the tokens of an index. No text of a record contains it. */
const BETWEEN = '\0'

/**
 * The words of a record for an index: each with the tag of its column, once, and followed by NUL. `content`: folded texts by tag, as JSON.
 * `without`: what the record has, or had, at another time, in the same form. Its words are left out, and so is a tag that it does not have; '' leaves
 * out nothing.
 */
export function taggedWords(content: string, without = ''): string {
  const texts = JSON.parse(content) as TaggedTexts
  const others = without === '' ? undefined : (JSON.parse(without) as TaggedTexts)
  let words = ''
  for (const [tag, text] of Object.entries(texts)) {
    const other = others ? others[tag] : ''
    if (other === undefined || other === text) continue
    const before = new Set(tokensOf(tag, other))
    for (const word of new Set(tokensOf(tag, text))) if (!before.has(word)) words += word + BETWEEN
  }
  return words
}

type TaggedTexts = Readonly<Record<string, string>>

const tokensOf = (tag: string, text: string): string[] => wordsOf(isReversed(tag) ? reversed(text) : text).map((word) => tokenOf(tag, word))

/** The tag of the words of a column that are read backwards: their beginnings are the ends of the words. */
export const reversedTag = (tag: string): string => `${tag}<`
export const isReversed = (tag: string): boolean => tag.endsWith('<')

/** Of a text of digits. */
export const reversed = (text: string): string => [...text].reverse().join('')

/** A word as a token of an index. */
export const tokenOf = (tag: string, word: string): string =>
  `${tag} ${
    word.length <= LONGEST_WORD
      ? word
      : Array.from(word.slice(0, 2 * LONGEST_WORD))
          .slice(0, LONGEST_WORD)
          .join('')
  }`

/** Changes when texts are divided in another way; an index that was made before is made again. */
export const WORDS = 'words of Unicode 17'

/** The separators but NUL for a bracket expression of a regular expression of PostgreSQL. */
export const separatorClass: string = ranges.map(([first, last]) => `${spelled(Math.max(first, 1))}-${spelled(last)}`).join('')

function spelled(point: number): string {
  return point < 0x80 ? `\\u${point.toString(16).padStart(4, '0')}` : String.fromCodePoint(point)
}
