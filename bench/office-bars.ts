/** The bars of the question `lists`, at 16 connections on a machine of two cores. */
import { figure, table, verdict } from './markdown.ts'

/** Which bar a list is judged by. */
export type Order = 'by id' | 'sorted' | 'new needles' | 'aggregate'

/** What was measured of one list; undefined: not measured. */
export interface Judged {
  readonly name: string
  readonly order: Order
  readonly firstBy: 'index' | 'scan'
  readonly beside: Rate | undefined
  readonly limited: Rate | undefined
  readonly busy: Rate | undefined
  /** Milliseconds. */
  readonly first: number | undefined
}

export interface Rate {
  readonly perSecond: number
  readonly p99: number
}

interface Tier {
  readonly rows: number
  readonly byId: number
  /** Milliseconds. */
  readonly p99?: number
  readonly sorted: number
  readonly busy?: number
  readonly firstByIndex: number
  readonly firstByScan: number
  readonly newNeedles: number
  /** MiB. */
  readonly memory: number
}

// prettier-ignore
const tiers: readonly [Tier, Tier, Tier] = [
  { rows: 1e5, byId: 2500, p99: 30, sorted: 2000, busy: 1500, firstByIndex: 50, firstByScan: 300, newNeedles: 400, memory: 280 },
  { rows: 1e6, byId: 2500, sorted: 1500, busy: 1200, firstByIndex: 100, firstByScan: 1500, newNeedles: 50, memory: 420 },
  { rows: 1e7, byId: 1500, sorted: 1000, firstByIndex: 1000, firstByScan: 15_000, newNeedles: 5, memory: 800 },
]

/** What two processes over PostgreSQL, of which the other one writes, have to reach of the rates. */
const OF_POSTGRES = 0.6

/** The commit of the last version without sets. */
export const FIRST = '61c4b551'
/**
 * The rate of `eq` on a list on a quiet server, by that version, as it was measured from outside, on another machine of two
 * cores. The bars were set beside these figures.
 */
const firstQuiet: readonly (readonly [rows: number, perSecond: number])[] = [
  [1e5, 4034],
  [1e6, 4876],
]

/** A rate as a share of the rate of that list in the same minute. */
export interface Share {
  readonly says: string
  readonly share: number
}

/** The bars as shares of that rate; those of 1,000,000 records for more. */
export function ofFirstQuiet(rows: number, overPostgres: boolean): { byId: number; sorted: number; busy: number | undefined } {
  const [, whole] = firstQuiet.find(([most]) => rows <= most) ?? firstQuiet.at(-1)!
  const { byId, sorted, busy } = tierOf(rows)
  const share = (rate: number) => ((overPostgres ? OF_POSTGRES : 1) * rate) / whole
  return { byId: share(byId), sorted: share(sorted), busy: busy === undefined ? undefined : share(busy) }
}

/** Those of the next larger number of records for which there are bars. */
export const tierOf = (rows: number): Tier => tiers.find((one) => rows <= one.rows) ?? tiers[2]

/** The worst figure of each bar, and whether it is met. */
export function barsTable(judged: readonly Judged[], memory: number, rows: number, overPostgres: boolean): string {
  const tier = tierOf(rows)
  const rate = (least: number) => (overPostgres ? OF_POSTGRES * least : least)
  const of = (order: Order) => judged.filter((one) => one.order === order)
  const beside = (list: readonly Judged[]) =>
    list.flatMap(({ name, beside, limited }) => [
      ...(beside ? [{ ...beside, says: name }] : []),
      ...(limited ? [{ ...limited, says: `${name}, limited reader` }] : []),
    ])
  const busy = judged.flatMap(({ name, order, busy }) => (busy && order !== 'new needles' ? [{ ...busy, says: name }] : []))
  const first = (by: 'index' | 'scan') =>
    judged.flatMap(({ name, firstBy, first }) => (first !== undefined && firstBy === by ? [{ milliseconds: first, says: name }] : []))
  const lines = [
    atLeast('by id, beside 60 writes/s', rate(tier.byId), beside(of('by id'))),
    tier.p99 === undefined ? undefined : slowest('the same, p99', tier.p99, beside(of('by id'))),
    atLeast('sorted, beside 60 writes/s', rate(tier.sorted), beside(of('sorted'))),
    tier.busy === undefined ? undefined : atLeast('beside 1,000 writes/s', rate(tier.busy), busy),
    atLeast('new needles, beside 60 writes/s', rate(tier.newNeedles), beside(of('new needles'))),
    longest('first ask, where an index serves', tier.firstByIndex, first('index')),
    longest('first ask, by a scan', tier.firstByScan, first('scan')),
    ['memory after the load', `${figure(memory)} MiB`, '', verdict(`≤ ${tier.memory} MiB`, memory <= tier.memory)],
  ].filter((line) => line !== undefined)
  return table(['what', 'worst', 'of', 'bar'], lines)
}

type Line = string[] | undefined

function atLeast(says: string, least: number, list: readonly (Rate & { readonly says: string })[]): Line {
  const worst = [...list].sort((a, b) => a.perSecond - b.perSecond)[0]
  return worst && [says, `${figure(worst.perSecond)}/s`, worst.says, verdict(`≥ ${figure(least)}/s`, worst.perSecond >= least)]
}

const slowest = (says: string, most: number, list: readonly (Rate & { readonly says: string })[]): Line =>
  longest(
    says,
    most,
    list.map(({ p99, says }) => ({ milliseconds: p99, says })),
  )

function longest(says: string, most: number, list: readonly { readonly milliseconds: number; readonly says: string }[]): Line {
  const worst = [...list].sort((a, b) => b.milliseconds - a.milliseconds)[0]
  return worst && [says, `${figure(worst.milliseconds)} ms`, worst.says, verdict(`≤ ${figure(most)} ms`, worst.milliseconds <= most)]
}
