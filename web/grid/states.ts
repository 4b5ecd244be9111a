import type { Resource } from '../api/client.ts'

/* What is to be told of single cells: edits under way, what was refused, what others have changed. */

export type CellState =
  /** `waiting`: it is sent when the connection is back. */
  | { readonly is: 'waiting' | 'saving' | 'saved'; readonly value: unknown }
  /** Not saved: what was typed stays. */
  | { readonly is: 'refused'; readonly value: unknown; readonly why: string }
  /** Somebody else has changed it meanwhile. */
  | { readonly is: 'clash'; readonly value: unknown; readonly theirs: unknown }
  /** Somebody else has just changed it. */
  | { readonly is: 'changed' }

/** The value that is not saved, or else what the service holds: a saved one is in the list, where an undo or somebody else may change it at once. */
export const unsavedOr = (state: CellState | undefined, held: unknown): unknown =>
  state && 'value' in state && state.is !== 'saved' ? state.value : held

/** Why a record is not where the list would have it: in the trash, not of the filter any more, not one that the person may see any more, or at another place by the order. */
export type Gone = 'deleted' | 'unmatched' | 'unseen' | 'misplaced'

export type CellsOfRecord = ReadonlyMap<string, CellState>

/** Milliseconds for which it is told that something was saved, or changed by others. */
const GLANCE = 1600

/** By records and attributes. It tells its listeners of each change. */
export class CellStates {
  version = 0
  readonly #records = new Map<string, Map<string, CellState>>()
  readonly #gone = new Map<string, Gone>()
  #leaving: ReadonlySet<string> = new Set()
  readonly #listeners = new Set<() => void>()

  get records(): ReadonlyMap<string, CellsOfRecord> {
    return this.#records
  }

  of(record: string): CellsOfRecord | undefined {
    return this.#records.get(record)
  }

  /** What the cell shows: what is on its way, or what the service holds. */
  value(record: Resource, attribute: string): unknown {
    return unsavedOr(this.of(record.id)?.get(attribute), record.attributes[attribute])
  }

  /** Why the record does not belong to the list any more, or soon. */
  gone(record: string): Gone | 'leaving' | undefined {
    return this.#leaving.has(record) ? 'leaving' : this.#gone.get(record)
  }

  /** Records that are on their way to the trash. */
  setLeaving(records: ReadonlySet<string>): void {
    if (records.size === 0 && this.#leaving.size === 0) return
    this.#leaving = records
    this.#tell()
  }

  put(record: string, attribute: string, state: CellState | undefined): void {
    this.putAll([{ record, attribute, state }])
  }

  /** Several at once: the listeners are told once. */
  putAll(cells: readonly { readonly record: string; readonly attribute: string; readonly state: CellState | undefined }[]): void {
    for (const { record, attribute, state } of cells) this.#set(record, attribute, state)
    this.#tell()
    const passing = cells.filter(({ state }) => state?.is === 'saved' || state?.is === 'changed')
    if (passing.length === 0) return
    setTimeout(() => {
      const over = passing.filter(({ record, attribute, state }) => this.of(record)?.get(attribute) === state)
      if (over.length > 0) this.putAll(over.map((one) => ({ ...one, state: undefined })))
    }, GLANCE)
  }

  #set(record: string, attribute: string, state: CellState | undefined): void {
    const next = new Map(this.#records.get(record))
    if (state) next.set(attribute, state)
    else next.delete(attribute)
    if (next.size > 0) this.#records.set(record, next)
    else this.#records.delete(record)
  }

  setGone(record: string, why: Gone | undefined): void {
    if (this.#gone.get(record) === why) return
    if (why) this.#gone.set(record, why)
    else this.#gone.delete(record)
    this.#tell()
  }

  /** What is not saved stays; what was told of the list goes. */
  refresh(): void {
    this.#gone.clear()
    this.#tell()
  }

  /** How many cells are on their way, or were refused. */
  get unsaved(): { readonly waiting: number; readonly saving: number; readonly refused: number } {
    let waiting = 0
    let saving = 0
    let refused = 0
    for (const cells of this.#records.values())
      for (const { is } of cells.values()) {
        if (is === 'waiting') waiting++
        if (is === 'saving') saving++
        if (is === 'refused' || is === 'clash') refused++
      }
    return { waiting, saving, refused }
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #tell(): void {
    this.version++
    for (const listener of this.#listeners) listener()
  }
}
