import type { BatchEntry } from '../api/batch-queue.ts'
import { ApiError } from '../api/client.ts'
import { outboxNow, whenOutboxChanges } from '../api/outbox.ts'
import type { Entry } from '../api/write-queue.ts'
import type { CellState, CellStates } from './states.ts'
import { told } from '../i18n/refusals/told.ts'

interface Cell {
  readonly record: string
  readonly attribute: string
  readonly state: CellState | undefined
}

/** Shows in the cells of a table what the outbox has of them. Returns what ends it. */
export function showUnsent(table: number, states: CellStates, trouble: (error: unknown) => string): () => void {
  /** What is shown of each write and batch, as it was then. */
  let shown = new Map<string, { readonly is: string; readonly cells: readonly Cell[] }>()

  function sync(): void {
    const { writes, batches, isAway } = outboxNow()
    const all = [...writes, ...batches].filter((one) => one.table === table).sort((one, other) => one.at - other.at)
    const next = new Map<string, { readonly is: string; readonly cells: readonly Cell[] }>()
    const puts: Cell[] = []
    const left = new Set(all.map(({ key }) => key))
    for (const [key, { is, cells }] of shown)
      if (!left.has(key) && is !== 'saved')
        for (const { record, attribute, state } of cells)
          if (states.of(record)?.get(attribute) === state) puts.push({ record, attribute, state: undefined })
    all.forEach((one, i) => {
      const is = isOf(one, isAway)
      const before = shown.get(one.key)
      const isBatch = 'changes' in one
      if (before?.is === is && !(isBatch && is === 'refused')) return next.set(one.key, before)
      const later = all.slice(i + 1)
      const cells = cellsOf(one, is, trouble).filter(({ record, attribute }) => !later.some((other) => has(other, record, attribute)))
      if (isBatch && before) {
        const kept = new Set(cells.map(({ record, attribute }) => `${record} ${attribute}`))
        for (const { record, attribute } of before.cells) if (!kept.has(`${record} ${attribute}`)) puts.push({ record, attribute, state: undefined }) // prettier-ignore
      }
      puts.push(...cells)
      return next.set(one.key, { is, cells })
    })
    const leaving = new Set(batches.flatMap((one) => (one.table === table ? one.removed : [])))
    states.setLeaving(leaving)
    shown = next
    if (puts.length > 0) states.putAll(puts)
  }
  sync()
  return whenOutboxChanges(sync)
}

const isOf = ({ state }: Entry | BatchEntry, isAway: boolean): string =>
  state.is === 'waiting' || state.is === 'sending' ? (isAway && state.is === 'waiting' ? 'waiting' : 'saving') : state.is

function has(one: Entry | BatchEntry, record: string, attribute: string): boolean {
  if ('changes' in one) return one.changes.some(({ id, values }) => id === record && attribute in values)
  return one.record === record && attribute in one.values
}

function cellsOf(one: Entry | BatchEntry, is: string, trouble: (error: unknown) => string): Cell[] {
  const { state } = one
  const cell = (record: string, attribute: string, value: unknown, place: number): Cell => {
    if (state.is === 'clash') return { record, attribute, state: { is: 'clash', value, theirs: state.theirs[attribute] } }
    if (state.is !== 'refused') return { record, attribute, state: { is: is as 'waiting' | 'saving' | 'saved', value } }
    const { error } = state
    const own = error instanceof ApiError && error.places.find((one) => one.record === place && one.attribute === attribute)?.detail
    const said = own || (error instanceof ApiError && error.attributes.get(attribute))
    const why = said ? told(said) : trouble(error)
    return { record, attribute, state: { is: 'refused', value, why } }
  }
  if (!('changes' in one)) return Object.entries(one.values).map(([name, value]) => cell(one.record, name, value, 0))
  return one.changes.flatMap(({ id, values }, i) => Object.entries(values).map(([name, value]) => cell(id, name, value, i)))
}
