/*
 * Grams: the pieces by which a text index finds texts. At every character of a text begins a gram, which is as long as needed to be
 * rare. A gram depends only on the characters from its beginning on. So the grams that end within a needle are also grams of every
 * text that contains the needle.
 */

/** Characters of a gram, at least; a needle has to have as many. */
const LEAST = 3
/** What the characters of a gram are worth together, at least: seven letters, four digits, or three of the worthiest. */
const ENOUGH = 14

/** How much a character narrows the search: letters follow each other by rules, digits by chance, and a character of a script with thousands is rare itself. */
function worth(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 0x2e80) return 5
  return code >= 0x30 && code <= 0x39 ? 4 : 2
}

/** Code units of the character. */
const size = (text: string, at: number): number => (text.codePointAt(at)! > 0xffff ? 2 : 1)

/** The separator of grams; no text of a record contains it. */
const BETWEEN = '\0'

/**
 * The grams of a text, or those that another one does not have, each once, the index's tokenizer's to take apart. The last
 * ones end with the text, however little they are worth.
 */
export function gramsOf(text: string, without = ''): string {
  const seen = new Set<string>()
  eachGram(without, (from, to) => seen.add(without.slice(from, to)))
  let grams = ''
  eachGram(text, (from, to) => {
    const gram = text.slice(from, to)
    const before = seen.size
    if (seen.add(gram).size > before) grams += gram + BETWEEN
  })
  return grams
}

interface Span {
  readonly from: number
  readonly to: number
}

function eachGram(text: string, take: (from: number, to: number, isWhole: boolean) => void): void {
  let to = 0
  let value = 0
  let characters = 0
  for (let from = 0; from < text.length; from += size(text, from)) {
    while (to < text.length && (value < ENOUGH || characters < LEAST)) {
      value += worth(text, to)
      to += size(text, to)
      characters++
    }
    if (characters < LEAST) return
    take(from, to, value >= ENOUGH)
    value -= worth(text, from)
    characters--
  }
}

/** Code units of a needle that are looked up in the index, at most. */
const LONGEST_NEEDLE = 120
/** Half a character, where a text was cut in the middle of it. */
const HALF = /[\ud800-\udbff]$/

/** The grams of every text that contains the needle. */
export const gramsWithin = (needle: string): readonly string[] => spansWithin(needle).map(({ from, to }) => needle.slice(from, to))

function spansWithin(needle: string): readonly Span[] {
  const spans: Span[] = []
  eachGram(needle.slice(0, LONGEST_NEEDLE).replace(HALF, ''), (from, to, isWhole) => {
    if (isWhole) spans.push({ from, to })
  })
  return spans
}

/**
 * What an index is asked about a needle. gram: that is one itself. beginning: what begins with it. several: grams that stand
 * in every text that holds it, and in others.
 */
export interface Search {
  readonly by: 'gram' | 'beginning' | 'several'
  readonly grams: readonly string[]
  /** About how many of all texts have several. */
  readonly share: number
}

/** Grams of one query, at most. */
const MOST = 4
/** Cost of comparing a text with the needle, in units of the cost of reading one posting of a gram. */
const COMPARISON = 60

/** A gram of a needle that may be asked for, and how many of all texts have it. */
interface Candidate extends Span {
  readonly share: number
}

/** The grams by which the texts that hold a needle are found at the least cost. `shareOf`: how many of all texts have one. */
export function searchFor(needle: string, shareOf: (gram: string) => number): Search {
  const candidates = spansWithin(needle).map(({ from, to }) => ({ from, to, share: shareOf(needle.slice(from, to)) }))
  const [first] = candidates
  if (!first || first.to === needle.length) return { by: first ? 'gram' : 'beginning', grams: [needle], share: 0 }
  const rarest = candidates.reduce((best, one) => (one.share < best.share ? one : best))
  const chosen = [rarest]
  let { share } = rarest
  while (chosen.length < MOST) {
    const next = nextOf(candidates, chosen, share)
    if (!next) break
    chosen.push(next)
    share = leftBy(next, chosen.slice(0, -1), share)
  }
  return { by: 'several', grams: chosen.map(({ from, to }) => needle.slice(from, to)), share }
}

/** The next gram to use besides the chosen ones; undefined where each would cost more than it saves. */
function nextOf(candidates: readonly Candidate[], chosen: readonly Candidate[], share: number): Candidate | undefined {
  let most = 0
  let best: Candidate | undefined
  for (const one of candidates) {
    const saved = (share - leftBy(one, chosen, share)) * COMPARISON - one.share
    if (saved <= most) continue
    most = saved
    best = one
  }
  return best
}

/** The share of texts that remain with one more gram. The more it overlaps with the chosen grams, the less it excludes. */
function leftBy({ from, to, share: own }: Candidate, chosen: readonly Candidate[], share: number): number {
  let alone = 0
  for (let at = from; at < to; at++) if (!chosen.some((one) => at >= one.from && at < one.to)) alone++
  return share * own ** ((alone / (to - from)) ** 2)
}
