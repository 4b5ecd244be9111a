import { isDeepStrictEqual } from 'node:util'
import type { Received } from '../fuzz/wire.ts'
import { plainText } from './compare.ts'

/*
 * Positions in the log of changes. Over SQLite the two worlds have the same ones. Over PostgreSQL each has its own (they come from the
 * transactions of the whole cluster): which is the counterpart of which is learnt from answers, and must then hold for all.
 */

/** Stands for a position in a request: the number after it says which one. */
export const POSITION = 'POSITION'
/** Shorter numbers are no positions: those of PostgreSQL are multiples of 2^15, or near them. */
const LONG_NUMBER = /(?<!\d)\d{7,16}(?!\d)/g

export class Positions {
  readonly #own: boolean
  readonly #pairs: (readonly [plain: number, hiding: number])[] = [[1, 1]]
  readonly #known = [new Map<number, number>(), new Map<number, number>()] as const
  #highest: number

  /** `own`: whether each world has its own positions. */
  constructor(own: boolean, highest: number) {
    this.#own = own
    this.#highest = highest
  }

  /** How many there are to ask for. */
  get count(): number {
    return this.#own ? this.#pairs.length : this.#highest
  }

  /** Two positions that mean the same. */
  add(plain: number, hiding: number): void {
    this.#highest = Math.max(this.#highest, plain)
    if (this.#own) this.#pairs.push([plain, hiding])
  }

  /** A request as one of the worlds gets it. */
  resolve(text: string, side: 0 | 1): string {
    return text.replace(/POSITION(\d+)/g, (_, number: string) =>
      String(this.#own ? this.#pairs[Number(number) % this.#pairs.length]![side] : Number(number)),
    )
  }

  /** Two answers as texts that are the same where they tell the same. */
  compared(plain: Received, hiding: Received, masked: boolean): readonly [string, string] {
    const texts = [plain, hiding].map((answer) => plainText(answer, masked)) as [string, string]
    if (!this.#own) return texts
    // A cursor tells how far every transaction of the cluster is.
    const [one, other] = texts.map((text) =>
      text.replace(/"cursor":"\d+"|page%5Bafter%5D=\d*/g, '<cursor>').replace(/^content-length: .*$/m, ''),
    ) as [string, string]
    return this.paired(one, other)
  }

  /** Two texts without the positions in them, where those of the one mean the same as those of the other. */
  paired(one: string, other: string): readonly [string, string] {
    if (!this.#own) return [one, other]
    const [ones, others] = [one, other].map((text) => (text.match(LONG_NUMBER) ?? []).map(Number)) as [number[], number[]]
    if (ones.length !== others.length || !ones.every((position, i) => this.#match(position, others[i]!))) return [one, other]
    return [one.replace(LONG_NUMBER, '<position>'), other.replace(LONG_NUMBER, '<position>')]
  }

  #match(plain: number, hiding: number): boolean {
    const [known, back] = [this.#known[0].get(plain), this.#known[1].get(hiding)]
    if (known === undefined && back === undefined) {
      this.#known[0].set(plain, hiding)
      this.#known[1].set(hiding, plain)
      this.#pairs.push([plain, hiding])
      return true
    }
    return isDeepStrictEqual([known, back], [hiding, plain])
  }
}
