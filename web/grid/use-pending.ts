import { useState } from 'react'
import type { RecordPages } from '../api/pages.ts'
import type { Values } from '../api/records.ts'
import { useWords } from '../i18n/words.ts'
import { toast, toastRefusal } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import type { Column } from './columns.ts'
import { fittingOf, type Pending } from './pasting.ts'
import type { Range } from './selection.ts'
import type { CellStates } from './states.ts'
import type { Put, Writes } from './writes.ts'

/** Refusals of one write after which the person is asked again. */
const MOST_REFUSALS = 20

/** Writes of several cells, and what waits for a decision before it is written. */
export function usePending({
  columns,
  pages,
  states,
  writes,
  rights,
  range,
}: {
  readonly columns: readonly Column[]
  readonly pages: RecordPages
  readonly states: CellStates
  readonly writes: Writes
  readonly rights: Readonly<Record<string, boolean>>
  /** What is chosen. */
  readonly range: Range
}) {
  const say = useWords()
  const trouble = useTrouble()
  const [pending, ask] = useState<Pending>()
  const rows = pages.total ?? 0
  const place = (record: string | undefined, added: number, attribute: string) => ({
    row: (record === undefined ? rows + added : (pages.placeOf(record) ?? 0)) + 1,
    column: columns.find(({ field }) => field.name === attribute)?.field.title ?? attribute,
  })

  /** Whether the rights allow so many at once. Says so if not. */
  function mayAll(puts: readonly Put[], added: readonly Values[]): boolean {
    const isAllowed = rights['bed'] === true || new Set(puts.map(({ record }) => record)).size + added.length <= 1
    if (!isAllowed) toast(say('severalNotAllowed'))
    return isAllowed
  }

  /** `left`: records that are left out of it, which is told. */
  async function write(puts: readonly Put[], added: readonly Values[] = [], left = 0): Promise<void> {
    if (puts.length + added.length === 0) return left > 0 ? toast(say('notYours')) : undefined
    if (!mayAll(puts, added)) return
    const failure = await writes.putAll(puts, added)
    if (!failure) return left > 0 ? toast(say('leftOut', { count: left })) : undefined
    const rest = fittingOf(puts, added, failure, place)
    if (rest) ask({ ...rest, left })
    else toastRefusal(say('nothingWritten', { detail: trouble(failure) }))
  }

  /** Writes what fits of what is left: of each write that it refuses, the service names one record alone. */
  async function writeFitting(was: Pending): Promise<void> {
    let left = { wrong: 0, named: [] as Pending['named'] }
    let { puts, added } = was
    while (puts.length + added.length > 0) {
      const failure = await writes.putAll(puts, added)
      if (!failure) break
      const rest = fittingOf(puts, added, failure, place)
      if (!rest) return toastRefusal(say('nothingWritten', { detail: trouble(failure) }))
      left = { wrong: left.wrong + rest.wrong, named: left.named.length > 0 ? left.named : rest.named }
      if (left.wrong > MOST_REFUSALS) return ask(rest)
      ;({ puts, added } = rest)
    }
    const [first] = left.named
    if (first) toastRefusal(say('pasteLeft', { count: left.wrong, first: say('pasteWrongAt', { ...first }) }))
  }

  function decide(isWanted: boolean): void {
    const was = pending
    ask(undefined)
    if (!was) return
    for (let row = range.top; row <= Math.min(range.bottom, rows - 1); row++) {
      const record = pages.record(row)
      if (record) for (const [name, state] of states.of(record.id) ?? []) if (state.is === 'refused') states.put(record.id, name, undefined)
    }
    if (!isWanted) return
    // What was not asked about is refused, or asked about, as a whole.
    void (was.wrong > 0 ? writeFitting(was) : write(was.puts, was.added))
  }

  return {
    pending,
    /** Whether it is asked: not what the rights do not allow. */
    ask(next: Pending): boolean {
      const isAsked = mayAll(next.puts, next.added)
      if (isAsked) ask(next)
      return isAsked
    },
    write,
    decide,
  }
}
