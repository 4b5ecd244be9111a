/* What an undo does, in plain code over a list of changes: no transactions, no steps, no database. */

type Values = Record<string, string>

interface Entry {
  readonly record: number
  readonly does: 'create' | 'update' | 'delete' | 'restore'
  readonly batch: number
  /** By attribute, before and after; of updates only. */
  readonly touched: ReadonlyMap<string, readonly [before: string, after: string]>
}

export type Conflict = readonly [record: number, attribute: string | null, code: string]

export class UndoOracle {
  readonly records = new Map<number, { values: Values; place: 'live' | 'trash' }>()
  readonly batches = new Map<number, { readonly undoes: number; undoneBy: number }>()
  readonly #log: Entry[] = []
  readonly #unique: string

  constructor(unique: string) {
    this.#unique = unique
  }

  in(place: 'live' | 'trash'): number[] {
    return [...this.records].flatMap(([id, record]) => (record.place === place ? [id] : []))
  }

  /** Whether a record could get these values. */
  fits(id: number, values: Values): boolean {
    const wanted = values[this.#unique]
    return !wanted || this.in('live').every((other) => other === id || this.records.get(other)!.values[this.#unique] !== wanted)
  }

  create(batch: number, record: number, values: Values): void {
    this.records.set(record, { values: { ...values }, place: 'live' })
    this.#note(batch, record, 'create')
  }

  /** Whether it changed anything. */
  update(batch: number, record: number, values: Values): boolean {
    const held = this.records.get(record)!.values
    const touched = new Map(Object.entries(values).flatMap(([key, to]) => (held[key] === to ? [] : [[key, [held[key]!, to]] as const])))
    if (touched.size === 0) return false
    for (const [key, [, to]] of touched) held[key] = to
    this.#note(batch, record, 'update', touched)
    return true
  }

  move(batch: number, record: number, does: 'delete' | 'restore'): void {
    this.records.get(record)!.place = does === 'delete' ? 'trash' : 'live'
    this.#note(batch, record, does)
  }

  #note(batch: number, record: number, does: Entry['does'], touched: Entry['touched'] = new Map()): void {
    this.#log.push({ record, does, batch, touched })
    if (!this.batches.has(batch)) this.batches.set(batch, { undoes: 0, undoneBy: 0 })
  }

  canBeUndone(batch: number): boolean {
    const { undoes, undoneBy } = this.batches.get(batch)!
    return undoneBy === 0 && (undoes === 0 || this.batches.get(undoes)!.undoneBy === batch)
  }

  /** Undoes a batch as the batch `by`; what changed, and what stayed. */
  undo(batch: number, by: number): { records: number; conflicts: Conflict[] } {
    const related = new Set([batch])
    for (let size = 0; size < related.size;) {
      size = related.size
      for (const [id, { undoes }] of this.batches) if (related.has(undoes)) related.add(id)
    }
    const log = [...this.#log]
    const ofBatch = log.map((entry, at) => ({ ...entry, at })).filter((entry) => entry.batch === batch)
    const order = [...new Set(ofBatch.toReversed().map(({ record }) => record))]
    const conflicts: Conflict[] = []
    let records = 0
    for (const record of order) {
      const own = ofBatch.filter((entry) => entry.record === record)
      const since = log
        .map((entry, at) => ({ ...entry, at }))
        .filter((entry) => entry.record === record && entry.at > own[0]!.at && !related.has(entry.batch))
      if (this.#undoRecord(by, record, own, since, conflicts)) records++
    }
    if (records > 0) this.#settle(batch, by)
    return { records, conflicts }
  }

  #undoRecord(by: number, record: number, own: readonly Placed[], since: readonly Placed[], conflicts: Conflict[]): boolean {
    const now = this.records.get(record)!
    const moves = own.filter(({ does }) => does !== 'update')
    const wasThere = own[0]!.does === 'update' || own[0]!.does === 'delete'
    const isThere = moves.length === 0 ? true : moves.at(-1)!.does !== 'delete'
    const changedSince = (): false => {
      conflicts.push([record, null, 'batch.changed_since'])
      return false
    }
    if (!wasThere && !isThere) return false
    const keys = [undefined, ...new Set(since.flatMap(({ touched }) => [...touched.keys()]))]
    const isChanged = keys.some((key) => this.#isLeft(since, key))
    if (!wasThere && isChanged) return changedSince()
    if (!wasThere) {
      if (now.place === 'trash') return false
      this.move(by, record, 'delete')
      return true
    }
    if (isThere && now.place === 'live') return this.#revert(by, record, own, since, conflicts)
    if (isThere || isChanged) return changedSince()
    const comesBack = now.place === 'trash'
    if (comesBack) {
      if (!this.fits(record, now.values)) {
        conflicts.push([record, this.#unique, 'field.not_unique'])
        return false
      }
      this.move(by, record, 'restore')
    }
    return this.#revert(by, record, own, since, conflicts) || comesBack
  }

  #revert(by: number, record: number, own: readonly Placed[], since: readonly Placed[], conflicts: Conflict[]): boolean {
    const now = this.records.get(record)!.values
    const values: Values = {}
    for (const key of Object.keys(now)) {
      const touching = own.filter(({ touched }) => touched.has(key))
      if (touching.length === 0) continue
      const [before, after] = [touching[0]!.touched.get(key)![0], touching.at(-1)!.touched.get(key)![1]]
      const others = this.#isLeft(
        since.filter(({ at }) => at > touching[0]!.at),
        key,
      )
      if (others || (now[key] !== after && now[key] !== before)) conflicts.push([record, key, 'batch.changed_since'])
      else values[key] = before
    }
    const unique = values[this.#unique]
    if (unique !== undefined && unique !== now[this.#unique] && !this.fits(record, values)) {
      conflicts.push([record, this.#unique, 'field.not_unique'])
      delete values[this.#unique]
    }
    return this.update(by, record, values)
  }

  /** Whether changes of one record leave something of an attribute: each undo is struck out with what it undid, the newest first. */
  #isLeft(since: readonly Placed[], key: string | undefined): boolean {
    const of = since.filter(({ touched }) => (key === undefined ? touched.size === 0 : touched.has(key)))
    let left = [...new Set(of.toReversed().map(({ batch }) => batch))]
    for (const batch of left.slice()) {
      const { undoes } = this.batches.get(batch)!
      if (left.includes(batch) && left.includes(undoes)) left = left.filter((one) => one !== batch && one !== undoes)
    }
    return left.length > 0
  }

  /** The batch is undone; what it had undone holds again, what that had undone is undone again, and so on. */
  #settle(batch: number, by: number): void {
    this.batches.set(by, { undoes: batch, undoneBy: 0 })
    this.batches.get(batch)!.undoneBy = by
    let isUndone = true
    for (let one = batch, next = this.batches.get(one)!.undoes; next !== 0; one = next, next = this.batches.get(one)!.undoes) {
      this.batches.get(next)!.undoneBy = isUndone ? 0 : one
      isUndone = !isUndone
    }
  }
}

type Placed = Entry & { readonly at: number }
