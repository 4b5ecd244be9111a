/*
 * Grams: the pieces by which a text index finds texts. A gram begins at every character of a text and is as long as needed to be
 * rare. It depends only on the characters from its beginning on. So the grams that end within a needle are also grams of every
 * text that contains the needle.
 */

/** The fewest characters of a gram, and so of a needle. */
const LEAST = 3
/** The least sum of `worth` over the characters of a gram: seven letters, four digits, or three characters of a large script. */
const ENOUGH = 14

/** How much a character narrows the search: a letter least, since letters follow each other by rules, a character of a script with thousands most. */
function worth(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 0x2e80) return 5
  return code >= 0x30 && code <= 0x39 ? 4 : 2
}

/** Code units of the character at `at`. */
const size = (text: string, at: number): number => (text.codePointAt(at)! > 0xffff ? 2 : 1)

/** The separator of grams; no text of a record contains it. */
const BETWEEN = '\0'

/**
 * The grams of a text, each once and followed by the separator, without those of the text `without`. The tokenizer of the index
 * splits them. The last ones end with the text, even if the sum of their worth is less than ENOUGH.
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

/** The most code units of a needle that are looked up in the index. */
const LONGEST_NEEDLE = 120
/** Half a surrogate pair at the end of a text that was cut. */
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
 * How a needle is looked up. gram: the needle is one gram. beginning: by grams that begin with the needle. several: by grams that
 * every text with the needle has, and other texts may have too.
 */
export interface Search {
  readonly by: 'gram' | 'beginning' | 'several'
  readonly grams: readonly string[]
  /** For `several`: the estimated share of texts that have all the grams, 0 to 1. */
  readonly share: number
}

/** The most grams of one query. */
const MOST = 4
/** Cost of comparing a text with the needle, in units of the cost of reading one posting of a gram. */
const COMPARISON = 60

/** A gram of a needle, and the share of all texts that have it. */
interface Candidate extends Span {
  readonly share: number
}

/** The grams by which the texts that contain a needle are found at the least cost. `shareOf`: the share of all texts that have a gram. */
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
