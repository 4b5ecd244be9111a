/*
 * The pieces by which an index over texts finds them: at every character of a text stands a gram, as long as it takes to be
 * rare. What gram stands somewhere follows from the characters from there on, so in a needle stand the same grams as in
 * each text that holds it, as far as they end within it.
 */

/** Characters of a gram, at least: so many have to be asked for. */
const LEAST = 3
/** What the characters of a gram are worth together, at least: seven letters, four digits, or three of the worthiest. */
const ENOUGH = 14

/** Letters hang together; digits follow each other by chance; scripts that have thousands of characters tell much by each. */
function worth(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code >= 0x2e80) return 5
  return code >= 0x30 && code <= 0x39 ? 4 : 2
}

/** Code units of the character. */
const size = (text: string, at: number): number => (text.codePointAt(at)! > 0xffff ? 2 : 1)

/** What lies between grams; no text of a record has it. */
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

/** More of a needle than this is not asked for. In code units. */
const LONGEST = 120
/** Half a character, where a text was cut in the middle of it. */
const HALF = /[\ud800-\udbff]$/

/** The grams that stand in every text that holds the needle. */
export const gramsWithin = (needle: string): readonly string[] => spansWithin(needle).map(({ from, to }) => needle.slice(from, to))

function spansWithin(needle: string): readonly Span[] {
  const spans: Span[] = []
  eachGram(needle.slice(0, LONGEST).replace(HALF, ''), (from, to, isWhole) => {
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

/** Grams that are asked for at once, at most. */
const MOST = 4
/** To look whether a text holds the needle, against stepping over one entry of a gram: so many times dearer. */
const DEARER = 60

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

/** What to ask for besides what is chosen; undefined where each would cost more than it saves. */
function nextOf(candidates: readonly Candidate[], chosen: readonly Candidate[], share: number): Candidate | undefined {
  let most = 0
  let best: Candidate | undefined
  for (const one of candidates) {
    const saved = (share - leftBy(one, chosen, share)) * DEARER - one.share
    if (saved <= most) continue
    most = saved
    best = one
  }
  return best
}

/** How many of all texts are left by one gram more. The more it overlaps with what is chosen, the less it tells. */
function leftBy({ from, to, share: own }: Candidate, chosen: readonly Candidate[], share: number): number {
  let alone = 0
  for (let at = from; at < to; at++) if (!chosen.some((one) => at >= one.from && at < one.to)) alone++
  return share * own ** ((alone / (to - from)) ** 2)
}
