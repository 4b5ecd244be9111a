import { setTimeout as sleep } from 'node:timers/promises'
import { write as written, type Question } from '../support/oracle/answer.ts'
import { randomOf, type Random } from '../support/random.ts'
import { named, Questions } from './asked.ts'
import { Asking, worldNow, type AskingParts } from './asking.ts'
import { openBySql } from './by-sql.ts'
import { doChores, type Chores } from './chores.ts'
import { Gate } from './gate.ts'
import { Model } from './model.ts'
import { Nodes } from './nodes.ts'
import { makeTable, readAll, type ListedTable } from './table.ts'
import { ATOMIC, write, writeMarked, type Marked } from './writers.ts'

/* Rounds of lists beside writes and chores, each followed by a pause in which lists are compared exactly. */

export interface Wanted {
  readonly store: 'sqlite' | 'postgres'
  readonly lists: number
  readonly seed: number
  /** MiB for sets; 0: the default. */
  readonly memory: number
  readonly kills: number
  readonly records: number
  /** After so many it ends in any case, with what was asked until then. */
  readonly minutes: number
}

export interface Outcome {
  readonly asked: { exact: number; beside: number; marked: number; bySql: number }
  readonly wrong: { what: string; request: string; detail: string }[]
  readonly nodes: Nodes
  readonly chores: Chores
  rounds: number
  readonly seconds: number
}

/** Of each round. */
const BESIDE = 350
const EXACT = 450
const BY_SQL = 12
const CLIENTS = 8
/** Records that are made with one request. */
const TOGETHER = 50
const WRITERS = 3
/** Wrong answers after which it ends. */
const ENOUGH = 20
const READER = { login: 'reader', password: 'a password for the reader' }

export class Soak {
  readonly #wanted: Wanted
  readonly #random: Random
  readonly #nodes: Nodes
  readonly #table: ListedTable
  readonly #questions: Questions
  readonly #chores: Chores
  readonly #marked: Marked[] = [{ marker: 'counted 0', states: [[]], seen: [] }]
  readonly #now: AskingParts['now'] = { model: new Model([]), held: 0 }
  readonly #asking: Asking
  #beganAt = performance.now()
  #isStopped = false
  readonly #outcome: Outcome

  private constructor(wanted: Wanted, nodes: Nodes, table: ListedTable, parts: Pick<Chores, 'access' | 'reader'>) {
    this.#wanted = wanted
    this.#random = randomOf(wanted.seed)
    this.#nodes = nodes
    this.#table = table
    this.#questions = new Questions(table, this.#random)
    this.#chores = {
      ...parts,
      nodes,
      table,
      gate: new Gate(),
      random: randomOf(wanted.seed + 1),
      ids: [],
      deleted: [],
      done: new Map(),
      refused: new Map(),
      stopped: { now: false },
      rules: [],
      nextRule: () => this.#rule(),
      login: READER,
    }
    const asked = { exact: 0, beside: 0, marked: 0, bySql: 0 }
    this.#outcome = { asked, wrong: [], nodes, chores: this.#chores, rounds: 0, seconds: 0 }
    this.#asking = new Asking({
      nodes,
      table,
      questions: this.#questions,
      random: this.#random,
      chores: this.#chores,
      marked: this.#marked,
      outcome: this.#outcome,
      now: this.#now,
    })
  }

  static async open(wanted: Wanted): Promise<Soak> {
    const nodes = await Nodes.start(wanted.store, wanted.memory)
    const add = async (type: string, attributes: object, token = nodes.token) => {
      const { status, body } = await nodes.call(token, 'POST', type, { data: { type, attributes } })
      if (status !== 201) throw new Error(`${type}: ${status} ${JSON.stringify(body)}`)
      return body.data
    }
    const table = await makeTable(nodes, wanted.seed)
    const access = (await add('access', { group_id: 2, table_id: table.id, read: true })).id
    await add('user', { ...READER, group_id: 2 })
    const reader = { token: (await add('token', READER, '')).attributes.token }
    const soak = new Soak(wanted, nodes, table, { access, reader })
    await soak.#fill()
    return soak
  }

  async #fill(): Promise<void> {
    const { records } = this.#wanted
    const { ids, random } = this.#chores
    const { type } = this.#table
    const each = Array.from({ length: TOGETHER })
    await this.#many(Math.ceil(records / TOGETHER), async () => {
      const added = each.map(() => ({ op: 'add', data: { type, attributes: this.#table.all(random) } }))
      const { status, body } = await this.#nodes.call(this.#nodes.token, 'POST', 'operations', { 'atomic:operations': added }, ATOMIC)
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
      for (const { data } of body['atomic:results']) ids.push(data.id)
    })
  }

  async #many(count: number, work: () => Promise<void>, clients = CLIENTS): Promise<void> {
    let left = count
    const client = async () => {
      while (left-- > 0) await work()
    }
    await Promise.all(Array.from({ length: clients }, client))
  }

  /** Ends it with the round that is on. */
  stop(): void {
    this.#isStopped = true
  }

  async run(tell: (outcome: Outcome) => void): Promise<Outcome> {
    const { asked, wrong } = this.#outcome
    const rounds = Math.ceil(this.#wanted.lists / (BESIDE + EXACT))
    await this.#look()
    this.#chores.rules.push(this.#rule())
    await this.#settleRule()
    const kills = this.#killsOf(rounds)
    const { gate, stopped } = this.#chores
    await gate.pause()
    const working = Promise.all([
      ...Array.from({ length: WRITERS }, (_, i) => write({ ...this.#chores, random: randomOf(this.#wanted.seed + 10 + i) })),
      writeMarked({ ...this.#chores, random: randomOf(this.#wanted.seed + 5) }, this.#marked),
      doChores(this.#chores),
    ])
    const isDone = () =>
      asked.exact + asked.beside + asked.marked >= this.#wanted.lists ||
      wrong.length >= ENOUGH ||
      this.#isStopped ||
      performance.now() - this.#beganAt > this.#wanted.minutes * 60_000
    while (!isDone()) {
      this.#questions.renew(this.#now.model.rows, 160)
      gate.resume()
      await Promise.race([Promise.all([this.#lists(BESIDE, () => this.#asking.beside()), this.#killSoon(kills())]), working])
      await gate.pause()
      this.#asking.judgeMarked()
      await this.#look()
      await this.#settleRule()
      await this.#compare(kills())
      this.#outcome.rounds++
      tell(this.#soFar())
    }
    stopped.now = true
    gate.resume()
    await working
    return this.#soFar()
  }

  #soFar(): Outcome {
    return { ...this.#outcome, seconds: (performance.now() - this.#beganAt) / 1_000 }
  }

  #lists = (count: number, ask: () => Promise<void>) => this.#many(count, ask)

  /** How many kills are due, asked twice in each round. */
  #killsOf(rounds: number): () => number {
    let [at, done] = [0, 0]
    return () => {
      at++
      const due = Math.floor((at * this.#wanted.kills) / (2 * rounds)) - done
      done += due
      return due
    }
  }

  async #killSoon(count: number, withDatabase = true): Promise<void> {
    for (let i = 0; i < count; i++) {
      await sleep(this.#random.int(900))
      const slot = this.#random.int(this.#nodes.count + 1)
      if (slot < this.#nodes.count) await this.#nodes.kill(slot)
      else if (withDatabase && this.#nodes.hasDatabase) await this.#nodes.crashDatabase()
      else await this.#nodes.kill(0)
    }
  }

  /** Reads the table as it is, while nobody writes to it. */
  async #look(): Promise<void> {
    const rows = await readAll(this.#nodes, this.#table)
    this.#now.model = new Model(rows)
    const { ids } = this.#chores
    ids.splice(0, Infinity, ...rows.filter((row) => row[this.#table.field.marker] === '').map(({ id }) => id!))
  }

  /** One that leaves some records and hides some. */
  #rule(): Question {
    const { rows } = this.#now.model
    const { columns: all, field } = this.#table
    const columns = all.filter(({ onlyNamed }) => !onlyNamed)
    for (;;) {
      const some = this.#questions
        .sample(rows, 12, columns)
        // Where an option gets another label, the service writes that into rules that name the field.
        .filter((question) => written(question).length < 1_000 && !named(question).includes(field.stage))
      const world = worldNow()
      const found = some.find((question) => {
        const share = this.#now.model.matching([question], world).length / rows.length
        return share > 0.005 && share < 0.8
      })
      if (found) return found
    }
  }

  /** The last rule that was sent may not have arrived. */
  async #settleRule(): Promise<void> {
    const { rules, access } = this.#chores
    for (;;) {
      const attributes = { read_filter: written(rules.at(-1)!) }
      const data = { type: 'access', id: access, attributes }
      const { status } = await this.#nodes.call(this.#nodes.token, 'PATCH', `access/${access}`, { data })
      if (status === 200) break
      rules.pop()
      if (rules.length === 0) rules.push(this.#rule())
    }
    this.#now.held = rules.length - 1
  }

  async #compare(kills: number): Promise<void> {
    const bySql = await openBySql(this.#nodes, this.#table)
    try {
      let sql = BY_SQL
      await Promise.all([this.#lists(EXACT, () => this.#asking.exactly(bySql, sql-- > 0)), this.#killSoon(kills, false)])
    } finally {
      await bySql.close()
    }
  }

  async close(): Promise<void> {
    await this.#nodes.stop()
  }
}
