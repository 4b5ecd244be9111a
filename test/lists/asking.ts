import { write as written, type World } from '../support/oracle/answer.ts'
import type { Random } from '../support/random.ts'
import { expectedAggregate, pageOf, requestOf, shownFor, steps, type Asked, type Questions } from './asked.ts'
import type { BySql } from './by-sql.ts'
import type { Chores } from './chores.ts'
import { admissible, beside, exact } from './judge.ts'
import type { Model } from './model.ts'
import type { Nodes } from './nodes.ts'
import type { Outcome } from './soak.ts'
import type { ListedTable } from './table.ts'
import type { Marked } from './writers.ts'

/* Asks lists, and judges their answers. */

export interface AskingParts {
  readonly nodes: Nodes
  readonly table: ListedTable
  readonly questions: Questions
  readonly random: Random
  readonly chores: Chores
  readonly marked: Marked[]
  readonly outcome: Outcome
  /** The table as it was read last; and the oldest rule of the reader that may still hold. */
  readonly now: { model: Model; held: number }
}

/** Lists, of a hundred, whose states are all known. */
const OF_KNOWN_STATES = 12

export class Asking {
  readonly #parts: AskingParts

  constructor(parts: AskingParts) {
    this.#parts = parts
  }

  async #send(asked: Asked, names: readonly string[], after = '') {
    const { method, path, body } = requestOf(this.#parts.table, asked, names)
    const token = asked.limited ? this.#parts.chores.reader.token : this.#parts.nodes.token
    const answer = await this.#parts.nodes.call(token, method, `${path}${after}`, body)
    return { request: `${method} ${decodeURIComponent(path)}${after}${body ? ` ${JSON.stringify(body)}` : ''}`, ...answer }
  }

  async beside(): Promise<void> {
    if (this.#parts.random.percent(OF_KNOWN_STATES)) return this.#marked()
    const asked = this.#parts.questions.next(this.#parts.now.model.rows.length)
    const { held } = this.#parts.now
    const { rules } = this.#parts.chores
    const seen = asked.limited ? rules.slice(held) : []
    const names = shownFor(this.#parts.table, asked, seen)
    const began = worldNow()
    const { status, body, request } = await this.#send(asked, names)
    this.#parts.outcome.asked.beside++
    // The reader's token or a field may have gone, or a label that was asked for.
    if (status !== 200) return this.#refused(request, status, body)
    if (asked.aggregate) return this.#sums(request, body.meta)
    const known = asked.limited && rules.slice(held).length === seen.length
    const { question } = asked
    const parts = { ...asked, questions: question && !steps(question) ? [question] : [], rules: known ? seen : [] }
    this.#note(request, beside(pageOf(body), parts, [worldNow(), began]), () => body.data.length)
  }

  #refusals = new Map<string, number>()
  #refused(request: string, status: number, body: unknown): void {
    const [error] = (body as { errors?: { code: string }[] }).errors ?? []
    const what = `${status} ${error?.code}`
    this.#refusals.set(what, (this.#refusals.get(what) ?? 0) + 1)
    if (this.#refusals.get(what)! <= 2) console.log(`refused: ${what}: ${request.slice(0, 400)} ${JSON.stringify(body).slice(0, 300)}`)
  }

  #sums(request: string, { all, groups }: { all: { count: number }; groups?: readonly { count: number }[] }): void {
    const sum = groups?.reduce((before, { count }) => before + count, 0) ?? all.count
    this.#note(request, sum === all.count ? undefined : `wrong total: ${all.count}, and ${sum} in groups`, () => groups)
  }

  async #marked(): Promise<void> {
    const { marker, states, seen } = this.#parts.marked.at(-1)!
    const { field, type } = this.#parts.table
    const random = this.#parts.random
    const term = `eq(${field.marker},'${marker}')`
    const filter = random.pick([
      term,
      `and(${term},or(gt(${field.flipped},5),lte(${field.flipped},5)))`,
      `not(ne(${field.marker},'${marker}'))`,
    ])
    const sort = random.pick(['', 'id', '-id', field.marker, `-${field.marker}`, `${field.flipped},${field.marker}`])
    const path = `${type}?fields[${type}]=status&page[limit]=20&filter=${encodeURIComponent(filter)}${sort === '' ? '' : `&sort=${sort}`}`
    const from = states.length - 1
    const { status, body } = await this.#parts.nodes.call(this.#parts.nodes.token, 'GET', path)
    this.#parts.outcome.asked.marked++
    if (status !== 200) return this.#refused(path, status, body)
    const { total, rows } = pageOf(body)
    seen.push({ from, total: total!, ids: rows.map(({ id }) => id!), descending: sort === '-id', path })
  }

  judgeMarked(): void {
    for (const { states, seen } of this.#parts.marked.slice(0, -1)) {
      // The write that was cut short may have been done.
      for (const one of seen) if (one.from < states.length - 1) this.#note(one.path, orLater(one, states), () => states.slice(-5))
    }
    const last = this.#parts.marked.at(-1)!
    for (const one of last.seen) this.#note(one.path, admissible(one, last.states), () => last.states.slice(one.from, one.from + 20))
    last.seen.splice(0)
    this.#parts.marked.splice(0, this.#parts.marked.length - 1)
  }

  async exactly(bySql: BySql, withSql: boolean): Promise<void> {
    const asked = this.#parts.questions.next(this.#parts.now.model.rows.length)
    const rule = asked.limited ? this.#parts.chores.rules.at(-1) : undefined
    const questions = [asked.question, rule].filter((one) => one !== undefined)
    const names = shownFor(this.#parts.table, asked, [])
    const worlds = [worldNow()]
    const { status, body, request } = await this.#send(asked, names)
    worlds.push(worldNow())
    if (status !== 200) return this.#refused(request, status, body)
    this.#parts.outcome.asked.exact++
    const answer = asked.pages > 0 ? await this.#walked(asked, names, body) : body
    const limit = asked.pages > 0 ? asked.limit * asked.pages : asked.limit
    const faultIn = (world: World) =>
      asked.aggregate
        ? sameSums(answer.meta, expectedAggregate(this.#parts.now.model.matching(questions, world), asked, world))
        : exact(pageOf(answer), this.#parts.now.model.list(questions, asked.keys, asked.offset, limit, world), names)
    // It may have become tomorrow meanwhile.
    const fault = faultIn(worlds[0]!) && faultIn(worlds[1]!)
    if (asked.aggregate || asked.pages > 0 || !(withSql || fault)) return this.#note(request, fault, () => rule && written(rule))
    this.#parts.outcome.asked.bySql++
    const other = await bySql.list(asked, rule).catch((error: unknown) => {
      throw new Error(`${request} by SQL${rule ? `, rule ${written(rule)}` : ''}`, { cause: error })
    })
    const { total, rows } = pageOf(answer)
    const differs = total !== other.total || rows.map(({ id }) => id).join() !== other.ids.join()
    const found = fault ?? (differs ? 'wrong page: SQL says otherwise' : undefined)
    this.#note(request, found, () => ({
      rule: rule && written(rule),
      sets: [total, rows.map(({ id }) => id)],
      sql: [other.total, other.ids],
    }))
  }

  /** The pages that follow by cursors, as one. */
  async #walked(
    asked: Asked,
    names: readonly string[],
    first: { data: { meta: { page: { cursor: string } } }[]; links: { next: string | null } },
  ) {
    const data = [...first.data]
    let { next } = first.links
    for (let page = 1; page < asked.pages && next !== null; page++) {
      const after = `&page[after]=${encodeURIComponent(data.at(-1)!.meta.page.cursor)}`
      const { status, body, request } = await this.#send(asked, names, after)
      if (status !== 200) throw new Error(`${request}: ${status} ${JSON.stringify(body)}`)
      data.push(...body.data)
      next = body.links.next
    }
    return { data, meta: {} as Record<string, unknown> }
  }

  #note(request: string, wrong: string | undefined, detail: () => unknown): void {
    if (wrong !== undefined)
      this.#parts.outcome.wrong.push({ what: wrong, request, detail: JSON.stringify(detail())?.slice(0, 2_000) ?? '' })
  }
}

const orLater = (one: Marked['seen'][number], states: Marked['states']) => {
  const wrong = admissible(one, states)
  return wrong?.endsWith('never so') ? undefined : wrong
}

function sameSums(shown: object, expected: object): string | undefined {
  const bare = (meta: object) => JSON.stringify(meta, (key, value: unknown) => (key === 'label' ? undefined : value))
  return bare(shown) === bare(expected) ? undefined : `wrong total: ${bare(shown).slice(0, 500)} instead of ${bare(expected).slice(0, 500)}`
}

export const worldNow = (): World => ({ hoursAhead: 0, now: new Date().toISOString().slice(0, 19).replace('T', ' ') })
