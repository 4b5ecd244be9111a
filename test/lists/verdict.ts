import type { Counted } from './nodes.ts'

export interface Result {
  readonly wrong: readonly { readonly what: string }[]
  readonly counted: Counted
  readonly memory: number
  /** Answers 5xx, and what the service logged as errors. */
  readonly failed: readonly string[]
  readonly said: string
}

/** Of lists that sets may answer. */
const FROM_SETS = 0.5

/** What a run comes to, a sentence each. */
export function verdict({ wrong, counted, memory, failed, said }: Result): { readonly told: string[]; readonly wrong: string[] } {
  const told: string[] = []
  const bad: string[] = []
  const say = (sentence: string, isBad: boolean) => void (isBad ? bad : told).push(sentence)
  const totals = wrong.filter(({ what }) => what.startsWith('wrong total')).length
  say(`${totals} wrong totals, ${wrong.length - totals} wrong pages`, wrong.length > 0)
  const share = counted.sets / Math.max(1, counted.sets + counted.sql)
  say(`${counted.sets} lists were answered from sets, ${counted.sql} by SQL (${(100 * share).toFixed(1)} % from sets)`, share < FROM_SETS)
  say(`${counted.read} sets and orders were read, ${counted.dropped} dropped for want of room`, memory > 0 && counted.dropped === 0)
  const faults = said.split('\n').filter((line) => line.includes('"level":50'))
  const about = failed.length > 0 ? `: ${[...failed.slice(0, 5), ...faults.slice(0, 5)].join('; ')}` : ''
  say(`${failed.length} answers 5xx that nothing explains${about}`, failed.length > 0)
  const diverged = said.split('\n').filter((line) => line.includes('sets of a table'))
  say(`${diverged.length} faults of sets were logged${diverged.length > 0 ? `: ${diverged[0]}` : ''}`, diverged.length > 0)
  return { told, wrong: bad }
}
