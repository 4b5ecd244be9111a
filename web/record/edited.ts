import { useEffect, useMemo } from 'react'
import { change, forgetSaved, give, insist, useOutbox, type Seen } from '../api/outbox.ts'
import { showsRecord } from '../api/shown-records.ts'
import { useLeaving } from '../ui/leaving.ts'

/** What became of the edit of one field. */
export type EditState =
  /** `waiting`: it is sent when the connection is back. */
  | { readonly is: 'waiting' | 'saving' | 'saved'; readonly value: unknown }
  | { readonly is: 'refused'; readonly value: unknown; readonly error: unknown }
  /** Somebody else has changed the same field meanwhile. */
  | { readonly is: 'clash'; readonly value: unknown; readonly theirs: unknown }

export interface Edits {
  readonly states: ReadonlyMap<string, EditState>
  /** `seen`: the record as the person saw it. */
  save(name: string, value: unknown, seen: Seen | undefined): void
  /** Once more, over what somebody else has written. */
  insist(name: string): void
  /** Leaves the field as the service has it. */
  give(name: string): void
}

/** Edits of a record, saved field by field (api/outbox.ts). They go on when the page is left. */
export function useEdits(table: number, id: string): Edits {
  const { writes, isAway } = useOutbox()
  useEffect(() => {
    const hide = showsRecord(table, id)
    return () => {
      hide()
      forgetSaved(table, id)
    }
  }, [table, id])
  const mine = useMemo(() => writes.filter((one) => one.table === table && one.record === id), [writes, table, id])
  useLeaving(mine.some(({ state }) => state.is !== 'saved'))
  const states = new Map<string, EditState>()
  const keys = new Map<string, string>()
  for (const { key, values, state } of mine)
    for (const [name, value] of Object.entries(values)) {
      keys.set(name, key)
      if (state.is === 'refused') states.set(name, { is: 'refused', value, error: state.error })
      else if (state.is === 'clash') states.set(name, { is: 'clash', value, theirs: state.theirs[name] })
      else if (state.is === 'saved') states.set(name, { is: 'saved', value })
      else states.set(name, { is: isAway && state.is === 'waiting' ? 'waiting' : 'saving', value })
    }
  const of = (act: (key: string) => void) => (name: string) => {
    const key = keys.get(name)
    if (key !== undefined) act(key)
  }
  return {
    states,
    save: (name, value, seen) => void change(table, id, { [name]: value }, seen),
    insist: of(insist),
    give: of(give),
  }
}
