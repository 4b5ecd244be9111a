import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Resource } from '../api/client.ts'
import { foresee } from '../api/foreseen.ts'
import { listed, listsRead } from '../api/live-lists.ts'
import { changeAct, decide, forgetSaved } from '../api/outbox.ts'
import { followOutbox, shownOther } from '../api/outbox-ends.ts'
import { isShown } from '../api/shown-records.ts'
import type { Field } from '../fields/field.ts'
import { CellStates } from '../grid/states.ts'
import { showUnsent } from '../grid/unsent.ts'
import { useWords } from '../i18n/words.ts'
import { useUndoOf } from '../ui/take-back.ts'
import { toast } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'

export type Moves = ReturnType<typeof useMoves>

/**
 * Records that are moved by giving a field another value: an option of a list, or a day. The outbox writes it, and they are shown where they go.
 * `places`: the options or days that are on the page. What is not saved of a record that goes elsewhere is for the bar above the page.
 */
export function useMoves(table: number, field: Field | undefined, places: readonly string[]) {
  const say = useWords()
  const trouble = useTrouble()
  const undoOf = useUndoOf(trouble)
  const name = field?.name ?? ''
  const states = useMemo(() => new CellStates(), [table, name])
  useSyncExternalStore(states.subscribe, () => states.version)
  /** Records as they were when they were moved: the lists may not have them where they go. */
  const known = useRef(new Map<string, Resource>())
  /** Values that are saved, until the lists have been read again. */
  const [saved, setSaved] = useState<ReadonlyMap<string, string>>(new Map())
  const recordOf = (id: string) => listed(table, id) ?? known.current.get(id)
  const isHere = (to: string) => places.includes(field?.type === 'list' ? to : to.slice(0, 10))
  const has = (id: string): boolean => {
    const to = whereTo(id)
    return to === undefined ? listed(table, id) !== undefined : isHere(to) && recordOf(id) !== undefined
  }
  const latest = useRef(has)
  latest.current = has
  useEffect(shownOther, [places.join('\n'), states.version])

  useEffect(() => {
    const stop = showUnsent(table, states, trouble)
    const unfollow = followOutbox({
      table,
      has: (record) => latest.current(record),
      told(_records, _included, all) {
        if (all.length === 0) return
        for (const id of new Set(all.map(({ record }) => record))) if (!isShown(table, id)) forgetSaved(table, id)
        const now = new Map(all.flatMap(({ record, values }) => (name in values ? [[record, textOf(values[name])]] : [])))
        setSaved((before) => new Map([...before, ...now]))
        // The outbox has them read after it has told this.
        queueMicrotask(() => {
          const isOver = ([id, value]: readonly [string, string]) => now.get(id) === value
          void listsRead(table).finally(() => setSaved((before) => new Map([...before].filter((one) => !isOver(one)))))
        })
      },
    })
    return () => {
      unfollow()
      stop()
    }
  }, [table, states])

  /** The value of the field with which a record is on its way; undefined: it stands where its list has it. */
  const whereTo = (id: string): string | undefined => {
    const state = states.of(id)?.get(name)
    return state && 'value' in state && state.is !== 'saved' ? textOf(state.value) : saved.get(id)
  }
  const onTheWay = [...new Set([...states.records.keys(), ...saved.keys()])].flatMap((id) => {
    const record = recordOf(id)
    const to = whereTo(id)
    return record && to !== undefined && isHere(to) ? [{ record, to }] : []
  })
  return {
    states,
    whereTo,
    onTheWay,
    /** A person is about to move it. */
    begin: (id: string) => foresee(table, id),
    /** `words`: what it is called, and where it goes. */
    move(record: Resource, to: string, words: { readonly card: string; readonly name: string }): void {
      // What was saved here is nobody else's, though the list that is shown does not have it yet.
      const before = saved.get(record.id) ?? record.attributes[name]
      if ((whereTo(record.id) ?? textOf(before)) === to) return
      known.current.set(record.id, record)
      const ended = changeAct(table, record.id, { [name]: to }, { [name]: before }, undefined)
      const undo = undoOf()
      void ended.then((isSaved) => isSaved && toast(say('cardMoved', words), undo))
    },
    /** What becomes of a value that was not saved. */
    answer(record: string, attribute: string, isKept: boolean): void {
      decide(table, record, attribute, isKept)
      if (!isKept) void listsRead(table, true)
    },
  }
}

const textOf = (value: unknown): string => String(value ?? '')
