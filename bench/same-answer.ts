import type { Pair } from './bench.ts'
import { lists } from './lists.ts'
import { page, pathOf } from './requests.ts'
import { random } from './seed.ts'
import { ask, type Server } from './servers.ts'

interface Figures {
  readonly count: number
  readonly sum: Readonly<Record<string, string>>
}

/** A page, or the figures of an aggregate. */
export interface Answered {
  readonly data?: readonly { readonly id: string }[]
  readonly meta: { readonly total?: number; readonly all?: Figures; readonly groups?: readonly (Figures & { readonly value: string })[] }
}

interface How {
  readonly offset?: number
  /** How many other values are asked for. */
  readonly times?: number
  /** Asks our server. */
  readonly asking?: (server: Server, path: string) => Promise<unknown>
}

/** Both servers asked for the same: how many match in the middle of three. @throws where their answers differ */
export async function sameAnswer(pair: Pair, kind: string, { offset = 0, times = 3, asking = ask }: How = {}): Promise<number> {
  const next = random(7)
  const totals: number[] = []
  for (let i = 0; i < times; i++) {
    const values = lists[kind]!.values(next, pair.rows)
    const ours = (await asking(pair.ours, pathOf(pair.ours.fields, kind, values, offset))) as Answered
    const floor = (await ask(pair.floor, page(pair, kind, values, offset).floor.path)) as Answered
    if (shown(ours) !== shown(floor))
      throw new Error(`'${kind}' with ${values.join(', ')}: ${shown(ours)}, but the floor says ${shown(floor)}`)
    totals.push(totalOf(ours))
  }
  return totals.sort((a, b) => a - b)[Math.floor(times / 2)]!
}

/** How many records match. */
export const totalOf = ({ meta: { total, all } }: Answered): number => total ?? all!.count

function shown({ data, meta: { total, groups } }: Answered): string {
  if (data) return `${total}: ${data.map(({ id }) => id).join(' ')}`
  return groups!
    .map(({ value, count, sum }) => `${value} ${count} ${Object.values(sum).join(' ')}`)
    .sort()
    .join(', ')
}
