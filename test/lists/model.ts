import { compare, folded, holds, isRelative, words, type Column, type Question, type Shown, type World } from '../support/oracle/answer.ts'

/*
 * The whole table in one state, and what its lists must be, by the oracle in plain code. A term is asked of each different value once.
 */

export interface Key {
  readonly column: Column
  readonly descending: boolean
}

export interface Expected {
  readonly total: number
  readonly rows: readonly Shown[]
}

export class Model {
  readonly rows: readonly Shown[]
  readonly #masks = new Map<string, Uint8Array>()
  readonly #codes = new Map<string, { readonly texts: readonly (string | undefined)[]; readonly codes: Int32Array }>()
  readonly #orders = new Map<string, Int32Array>()

  /** `rows` by id. */
  constructor(rows: readonly Shown[]) {
    this.rows = rows
  }

  list(questions: readonly Question[], keys: readonly Key[], offset: number, limit: number, world: World): Expected {
    const mask = questions.map((question) => this.mask(question, world))
    const page: Shown[] = []
    let total = 0
    for (const at of this.#order(keys, world)) {
      if (!mask.every((one) => one[at] === 1)) continue
      if (total >= offset && page.length < limit) page.push(this.rows[at]!)
      total++
    }
    return { total, rows: page }
  }

  matching(questions: readonly Question[], world: World): Shown[] {
    const mask = questions.map((question) => this.mask(question, world))
    return this.rows.filter((_, at) => mask.every((one) => one[at] === 1))
  }

  mask(question: Question, world: World): Uint8Array {
    switch (question.is) {
      case 'and':
        return this.#joined(question.of, world, 1, (sum, one) => sum & one)
      case 'or':
        return this.#joined(question.of, world, 0, (sum, one) => sum | one)
      case 'not':
        return this.mask(question.of, world).map((bit) => 1 - bit)
      case 'search':
        return this.#search(question, world)
      case 'ask':
        return this.#leaf(question, question.column.name, world)
    }
  }

  #joined(of: readonly Question[], world: World, begin: number, join: (sum: number, one: number) => number): Uint8Array {
    return joined(
      of.map((one) => this.mask(one, world)),
      this.rows.length,
      begin,
      join,
    )
  }

  /** `question` is about one column only. */
  #leaf(question: Question, name: string, world: World): Uint8Array {
    const asked = question.is === 'ask' ? [question.fn, question.values, name] : [question.is === 'search' ? question.text : '', name]
    const isOfToday = question.is === 'ask' && question.values.some((value) => isRelative(question.column, value))
    const key = JSON.stringify([asked, isOfToday ? world.now.slice(0, 10) : ''])
    const known = this.#masks.get(key)
    if (known) return known
    const { texts, codes } = this.#coded(name)
    const answers = answersTo(key)
    const byCode = Uint8Array.from(texts, (text) => {
      let answer = answers.get(text)
      if (answer === undefined) answers.set(text, (answer = holds(question, text === undefined ? {} : { [name]: text }, world) ? 1 : 0))
      return answer
    })
    const mask = new Uint8Array(codes.length)
    for (let at = 0; at < mask.length; at++) mask[at] = byCode[codes[at]!]!
    this.#masks.set(key, mask)
    return mask
  }

  /** Each word for itself in each column; and all digits together in those of telephone numbers. */
  #search({ text, columns }: Extract<Question, { is: 'search' }>, world: World): Uint8Array {
    const wanted = words(folded(text))
    const longest = wanted.filter((word) => !wanted.some((other) => other !== word && other.startsWith(word)))
    const within = (word: string, some: readonly Column[]) =>
      some.map((column) => this.#leaf({ is: 'search', text: word, columns: [column] }, column.name, world))
    const each = longest.map((word) => within(word, columns))
    const phones = columns.filter(({ type }) => type === 'phone')
    const whole = wanted.every((word) => /^[0-9]+$/.test(word)) ? within(wanted.join(''), phones) : []
    const any = (some: readonly Uint8Array[]) => joined(some, this.rows.length, 0, (sum, one) => sum | one)
    const all = joined(each.map(any), this.rows.length, 1, (sum, one) => sum & one)
    return whole.length > 0 ? any([all, ...whole]) : all
  }

  /** The different texts of a column, and which of them each row has. */
  #coded(name: string): { readonly texts: readonly (string | undefined)[]; readonly codes: Int32Array } {
    let known = this.#codes.get(name)
    if (!known) {
      const of = new Map<string | undefined, number>()
      const codes = Int32Array.from(this.rows, (row) => {
        const text = row[name]
        const code = of.get(text)
        if (code !== undefined) return code
        of.set(text, of.size)
        return of.size - 1
      })
      this.#codes.set(name, (known = { texts: [...of.keys()], codes }))
    }
    return known
  }

  #order(keys: readonly Key[], world: World): Int32Array {
    const name = keys.map(({ column, descending }) => (descending ? '-' : '') + column.name).join()
    const known = this.#orders.get(name)
    if (known) return known
    const ranks = keys.map(({ column, descending }) => ({ rank: this.#ranks(column, world), sign: descending ? -1 : 1 }))
    const order = Int32Array.from(this.rows, (_, at) => at).sort((one, other) => {
      for (const { rank, sign } of ranks) if (rank[one] !== rank[other]) return sign * (rank[one]! - rank[other]!)
      return one - other
    })
    this.#orders.set(name, order)
    return order
  }

  #ranks(column: Column, world: World): Int32Array {
    const { texts, codes } = this.#coded(column.name)
    const sorted = texts.map((_, code) => code).sort((one, other) => compare(column, texts[one]!, texts[other]!, world))
    const ranks = new Int32Array(texts.length)
    let rank = 0
    sorted.forEach((code, i) => {
      if (i > 0 && compare(column, texts[sorted[i - 1]!]!, texts[code]!, world) !== 0) rank++
      ranks[code] = rank
    })
    return codes.map((code) => ranks[code]!)
  }
}

function joined(masks: readonly Uint8Array[], size: number, begin: number, join: (sum: number, one: number) => number): Uint8Array {
  const sum = new Uint8Array(size).fill(begin)
  for (const mask of masks) for (let at = 0; at < size; at++) sum[at] = join(sum[at]!, mask[at]!)
  return sum
}

/** What the oracle has said of texts, by what was asked; it is the same in each state of the table. */
const said = new Map<string, Map<string | undefined, number>>()
const KEPT = 5_000

function answersTo(key: string): Map<string | undefined, number> {
  let known = said.get(key)
  if (!known) {
    if (said.size >= KEPT) said.clear()
    said.set(key, (known = new Map()))
  }
  return known
}
