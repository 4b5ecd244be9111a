/* What is to be told of single cells: edits under way, what was refused, what others have changed. */

export type CellState =
  | { readonly is: 'saving' | 'saved'; readonly value: unknown }
  /** Not saved: what was typed stays. */
  | { readonly is: 'refused'; readonly value: unknown; readonly why: string }
  /** Somebody else has changed it meanwhile. */
  | { readonly is: 'clash'; readonly value: unknown; readonly theirs: unknown }
  /** Somebody else has just changed it. */
  | { readonly is: 'changed' }

export type CellsOfRecord = ReadonlyMap<string, CellState>

/** Milliseconds for which it is told that something was saved, or changed by others. */
const GLANCE = 1600

/** By records and attributes. It tells its listeners of each change. */
export class CellStates {
  version = 0
  readonly #records = new Map<string, Map<string, CellState>>()
  readonly #gone = new Map<string, 'deleted' | 'unmatched'>()
  readonly #listeners = new Set<() => void>()

  of(record: string): CellsOfRecord | undefined {
    return this.#records.get(record)
  }

  /** Why the record does not belong to the list any more. */
  gone(record: string): 'deleted' | 'unmatched' | undefined {
    return this.#gone.get(record)
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

  setGone(record: string, why: 'deleted' | 'unmatched' | undefined): void {
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

  /** Whether anything is on its way, or was refused. */
  get unsaved(): { readonly saving: number; readonly refused: number } {
    let saving = 0
    let refused = 0
    for (const cells of this.#records.values())
      for (const { is } of cells.values()) {
        if (is === 'saving') saving++
        if (is === 'refused' || is === 'clash') refused++
      }
    return { saving, refused }
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
