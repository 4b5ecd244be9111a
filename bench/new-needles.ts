import { random, WORDS } from './seed.ts'

/** Parts of long texts over two words, such as `rs mail`. */
interface Needles {
  /** In 2.2 to 3.3 % of the long texts, because two or three pairs of words have them. */
  readonly usual: readonly string[]
  /** In 1.1 %. */
  readonly rare: readonly string[]
}

/** Needles of the first kind after which some of the second follow, so that quick servers do not get the first again. */
const USUAL = 1000
const RARE = 7000

const needles = shuffled(allNeedles())
let given = 0

/** A text that was not given before in this run, as long as there are such: they begin again after 46,000. */
export function newNeedle(): string {
  const [round, i] = [Math.floor(given / (USUAL + RARE)), given % (USUAL + RARE)]
  given++
  const of = (list: readonly string[], index: number) => list[index % list.length]!
  return i < USUAL ? of(needles.usual, round * USUAL + i) : of(needles.rare, round * RARE + i - USUAL)
}

function allNeedles(): Needles {
  const pairs = new Map<string, number>()
  for (const one of WORDS)
    for (const other of WORDS)
      for (let begin = 0; begin < one.length; begin++)
        for (let end = 1; end <= other.length; end++) {
          const needle = `${one.slice(begin)} ${other.slice(0, end)}`
          pairs.set(needle, (pairs.get(needle) ?? 0) + 1)
        }
  const ofSo = (least: number, most: number) => [...pairs].filter(([, count]) => count >= least && count <= most).map(([needle]) => needle)
  return { usual: ofSo(2, 3), rare: ofSo(1, 1) }
}

function shuffled({ usual, rare }: Needles): Needles {
  const next = random(5)
  const mixed = (list: readonly string[]) =>
    list
      .map((needle) => ({ needle, place: next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ needle }) => needle)
  return { usual: mixed(usual), rare: mixed(rare) }
}
