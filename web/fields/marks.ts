/* Where words that were searched for stand in a text: as the service searches, each is the beginning of a word (docs/filters.md). */

export type Mark = readonly [from: number, to: number]

/** Characters of a value that are looked through. */
const LOOKED_THROUGH = 20_000
const WORD = /[^\p{P}\p{S}\p{Z}\p{C}]+/gu

/** As the service compares texts. */
export const fold = (text: string): string => text.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ё', 'е').replaceAll('ς', 'σ')

/** The words of a search, in their order. */
export const soughtWords = (text: string): readonly string[] => fold(text).match(WORD) ?? []

/** The beginnings of words in a text, in their order, without overlaps. */
export function marksIn(text: string, words: readonly string[]): readonly Mark[] {
  return Array.from(text.slice(0, LOOKED_THROUGH).matchAll(WORD)).flatMap(({ 0: word, index }) => {
    const folded = fold(word)
    const longest = Math.max(0, ...words.flatMap((one) => (folded.startsWith(one) ? [one.length] : [])))
    return longest === 0 ? [] : [[index, index + unitsOf(word, longest)] as const]
  })
}

/** Digits by which the service finds a telephone number from its end, at least. */
const END = 4

/** The digits of a telephone number that were searched for, with what stands between them. */
export function marksInPhone(text: string, words: readonly string[]): readonly Mark[] {
  if (words.length === 0 || !words.every((word) => /^\d+$/.test(word))) return []
  const places = Array.from(text.slice(0, LOOKED_THROUGH).matchAll(/\d/g))
  const digits = places.map(([digit]) => digit).join('')
  const longest = (found: (word: string) => boolean, among: readonly string[]) =>
    Math.max(0, ...among.filter(found).map(({ length }) => length))
  const begins = (among: readonly string[]) => longest((word) => digits.startsWith(word), among)
  const ends = (among: readonly string[]) => longest((word) => word.length >= END && digits.endsWith(word), among)
  const all = [words.join('')]
  const [begin, end] = begins(all) + ends(all) > 0 ? [begins(all), ends(all)] : [begins(words), ends(words)]
  const mark = (from: number, to: number): Mark => [places[from]!.index, places[to - 1]!.index + 1]
  // What overlaps is one mark.
  if (begin > 0 && end > 0 && begin + end >= digits.length) return [mark(0, digits.length)]
  return [...(begin > 0 ? [mark(0, begin)] : []), ...(end > 0 ? [mark(digits.length - end, digits.length)] : [])]
}

/** How many code units of a word fold to the first `length` ones: small letters may be longer, and composed ones shorter. */
function unitsOf(word: string, length: number): number {
  let end = Math.min(length, word.length)
  while (end < word.length && fold(word.slice(0, end)).length < length) end++
  while (end > 1 && fold(word.slice(0, end - 1)).length >= length) end--
  // A mark belongs to its letter.
  while (end < word.length && /^\p{M}/u.test(word.slice(end))) end++
  return end
}

/** Characters before the first mark, and in all, of what is shown of a long text. */
const [BEFORE, SHOWN] = [40, 160]

/** The part of a text with the first mark, and its marks. */
export function snippet(text: string, marks: readonly Mark[]): { readonly text: string; readonly marks: readonly Mark[] } {
  const first = marks[0]?.[0] ?? 0
  if (text.length <= SHOWN) return { text, marks }
  const from = first <= BEFORE ? 0 : text.indexOf(' ', first - BEFORE) + 1
  const start = from > first || from === 0 ? Math.max(0, first - BEFORE) : from
  const head = start > 0 ? '…' : ''
  const shown = text.slice(start, start + SHOWN)
  return {
    text: `${head}${shown}${start + SHOWN < text.length ? '…' : ''}`,
    marks: marks.flatMap(([one, end]) =>
      one >= start && end <= start + SHOWN ? [[one - start + head.length, end - start + head.length] as const] : [],
    ),
  }
}
