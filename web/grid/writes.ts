import { ApiError } from '../api/client.ts'
import { changeAct, changeMany, forgetSaved } from '../api/outbox.ts'
import { followOutbox } from '../api/outbox-ends.ts'
import type { RecordPages } from '../api/pages.ts'
import { MOST_AT_ONCE, type Values } from '../api/records.ts'
import { isShown } from '../api/shown-records.ts'
import { told } from '../i18n/refusals/told.ts'
import type { CellStates } from './states.ts'
import { showUnsent } from './unsent.ts'

/** A value for a cell. */
export interface Put {
  readonly record: string
  readonly attribute: string
  readonly value: unknown
  /** What the cell held when the person saw it. */
  readonly before: unknown
  /** Whether the attribute has two values only. */
  readonly hasTwo?: boolean
}

/** Writes the cells of a list by the outbox (api/outbox.ts). */
export class Writes {
  readonly #table: number
  readonly #pages: RecordPages
  readonly #states: CellStates
  readonly #include: string | undefined
  readonly #trouble: (error: unknown) => string

  constructor(table: number, pages: RecordPages, states: CellStates, include: string | undefined, trouble: (error: unknown) => string) {
    this.#table = table
    this.#pages = pages
    this.#states = states
    this.#include = include
    this.#trouble = trouble
  }

  /** Shows what is on its way, and takes what is saved into the list. Returns what ends it. */
  follow(onWritten: (records: readonly string[]) => void): () => void {
    const table = this.#table
    const stop = showUnsent(table, this.#states, this.#trouble)
    const unfollow = followOutbox({
      table,
      has: (record) => this.#pages.placeOf(record) !== undefined,
      told: (records, included, saved) => {
        this.#states.putAll(
          saved.flatMap(({ record, values }) =>
            Object.entries(values).flatMap(([attribute, value]) => {
              const is = this.#states.of(record)?.get(attribute)
              // A later edit of the same cell is on its way.
              const isOther = is && 'value' in is && is.value !== value
              return isOther || is?.is === 'saved' ? [] : [{ record, attribute, state: { is: 'saved' as const, value } }]
            }),
          ),
        )
        this.#pages.putAll(records, included)
        const ids = saved.map(({ record }) => record)
        for (const id of new Set(ids)) if (!isShown(table, id)) forgetSaved(table, id)
        if (ids.length > 0) onWritten(ids)
      },
    })
    return () => {
      unfollow()
      stop()
    }
  }

  /** One cell, unless somebody has changed it since `before` was shown. Edits of a record go one after the other. */
  put({ record, attribute, value, before, hasTwo }: Put): void {
    this.#states.put(record, attribute, undefined)
    void changeAct(this.#table, record, { [attribute]: value }, { [attribute]: before }, this.#include, hasTwo)
  }

  /** Several cells and new records: all of them or none, and one act to undo. More than a thousand records take several requests. */
  async putAll(puts: readonly Put[], added: readonly Values[] = []): Promise<Error | undefined> {
    const changes = changesOf(puts)
    const failure = await changeMany(this.#table, [...parts(changes, added)])
    if (failure instanceof ApiError)
      for (const { record, attribute, detail } of failure.places) {
        const change = changes[record]
        // One that had to wait is shown by the outbox.
        if (change && !this.#states.of(change.id)?.has(attribute))
          this.#states.put(change.id, attribute, { is: 'refused', value: change.values[attribute], why: told(detail) })
      }
    return failure
  }

  remove(ids: readonly string[]): Promise<Error | undefined> {
    return changeMany(this.#table, [{ removed: ids }])
  }
}

/** The same for a list that shows nothing of single cells: what was refused is told as a whole. */
export const writesOf = (table: number): Pick<Writes, 'putAll' | 'remove'> => ({
  putAll: (puts, added = []) => changeMany(table, [...parts(changesOf(puts), added)]),
  remove: (ids) => changeMany(table, [{ removed: ids }]),
})

function changesOf(puts: readonly Put[]) {
  const records = new Map<string, { readonly values: Record<string, unknown>; readonly before: Record<string, unknown> }>()
  for (const { record, attribute, value, before } of puts) {
    const one = records.get(record) ?? { values: {}, before: {} }
    one.values[attribute] = value
    one.before[attribute] = before
    records.set(record, one)
  }
  return [...records].map(([id, cells]) => ({ id, ...cells }))
}

function* parts<Change>(changes: readonly Change[], added: readonly Values[]) {
  for (let i = 0; i < Math.max(1, changes.length + added.length); i += MOST_AT_ONCE) {
    const end = i + MOST_AT_ONCE
    const part = {
      changes: changes.slice(i, end),
      added: added.slice(Math.max(0, i - changes.length), Math.max(0, end - changes.length)),
    }
    if (part.changes.length + part.added.length > 0) yield part
  }
}
