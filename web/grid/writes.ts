import { ApiError, type Resource } from '../api/client.ts'
import type { RecordPages } from '../api/pages.ts'
import { MOST_AT_ONCE, readRecord, saveRecord, writeRecords, wrote, type Values } from '../api/records.ts'
import { did, didChange } from '../api/undo.ts'
import type { CellStates } from './states.ts'

/** A value for a cell. */
export interface Put {
  readonly record: string
  readonly attribute: string
  readonly value: unknown
}

/** Times that a record is read again because others write it. */
const TRIES = 3

/** Writes the cells of a list, and tells `states` how that goes. */
export class Writes {
  readonly #table: number
  readonly #pages: RecordPages
  readonly #states: CellStates
  readonly #include: string | undefined
  readonly #trouble: (error: unknown) => string
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(table: number, pages: RecordPages, states: CellStates, include: string | undefined, trouble: (error: unknown) => string) {
    this.#table = table
    this.#pages = pages
    this.#states = states
    this.#include = include
    this.#trouble = trouble
  }

  /** One cell, unless somebody has changed it since `before` was shown. Edits of a record go one after the other. */
  put({ record, attribute, value }: Put, before: unknown): Promise<void> {
    this.#states.put(record, attribute, { is: 'saving', value })
    const turn = (this.#last.get(record) ?? Promise.resolve()).then(() => this.#put({ record, attribute, value }, before))
    this.#last.set(record, turn)
    didChange(this.#table, record, attribute, turn)
    return turn.then(() => void (this.#last.get(record) === turn && this.#last.delete(record)))
  }

  /** What the attribute holds since; undefined: it is not written. */
  async #put({ record, attribute, value }: Put, before: unknown): Promise<unknown> {
    try {
      for (let attempt = 1; ; attempt++) {
        const now = await readRecord(this.#table, record)
        const theirs = now.data.attributes[attribute]
        if (theirs !== before) {
          this.#pages.put(now.data)
          this.#states.put(record, attribute, { is: 'clash', value, theirs })
          return undefined
        }
        try {
          const { data, included = [] } = await saveRecord(this.#table, record, { [attribute]: value }, now.etag, this.#include)
          this.#states.put(record, attribute, { is: 'saved', value })
          this.#pages.put(data, included)
          void wrote(this.#table)
          return data.attributes[attribute]
        } catch (error) {
          if (!(error instanceof ApiError && error.status === 412) || attempt === TRIES) throw error
        }
      }
    } catch (error) {
      const why = (error instanceof ApiError && error.attributes.get(attribute)) || this.#trouble(error)
      this.#states.put(record, attribute, { is: 'refused', value, why })
      return undefined
    }
  }

  /** Several cells and new records: all of them or none, and one act to undo. More than a thousand records take several requests. */
  async putAll(puts: readonly Put[], added: readonly Values[] = []): Promise<Error | undefined> {
    const records = new Map<string, Record<string, unknown>>()
    for (const { record, attribute, value } of puts) records.set(record, { ...records.get(record), [attribute]: value })
    this.#states.putAll(puts.map(({ record, attribute, value }) => ({ record, attribute, state: { is: 'saving', value } })))
    const changes = [...records].map(([id, values]) => ({ id, values }))
    const batches: number[] = []
    let done: (batches: readonly number[]) => void = () => undefined
    did(this.#table, new Promise((resolve) => (done = resolve)))
    let failure: Error | undefined
    for (const part of parts(changes, added)) {
      try {
        const { data, meta } = await writeRecords(this.#table, part.changes, part.added)
        if (typeof meta?.batch_id === 'number') batches.push(meta.batch_id)
        this.#took(data.slice(0, part.changes.length), records)
      } catch (error) {
        failure = error as Error
        this.#refuse(part.changes, error)
        // What comes after what was refused is not tried.
        for (const { id, values } of changes)
          for (const attribute of Object.keys(values))
            if (this.#states.of(id)?.get(attribute)?.is === 'saving') this.#states.put(id, attribute, undefined)
        break
      }
    }
    done(batches)
    void wrote(this.#table)
    return failure
  }

  #took(written: readonly Resource[], values: ReadonlyMap<string, Values>): void {
    this.#states.putAll(
      written.flatMap(({ id }) =>
        Object.entries(values.get(id) ?? {}).map(([attribute, value]) => ({
          record: id,
          attribute,
          state: { is: 'saved' as const, value },
        })),
      ),
    )
    this.#pages.putAll(written)
  }

  #refuse(changes: readonly { readonly id: string; readonly values: Values }[], error: unknown): void {
    const places = error instanceof ApiError ? error.places : []
    for (const { record, attribute, detail } of places) {
      const change = changes[record]
      if (change) this.#states.put(change.id, attribute, { is: 'refused', value: change.values[attribute], why: detail })
    }
  }
}

function* parts(changes: readonly { readonly id: string; readonly values: Values }[], added: readonly Values[]) {
  for (let i = 0; i < Math.max(1, changes.length + added.length); i += MOST_AT_ONCE) {
    const end = i + MOST_AT_ONCE
    const part = {
      changes: changes.slice(i, end),
      added: added.slice(Math.max(0, i - changes.length), Math.max(0, end - changes.length)),
    }
    if (part.changes.length + part.added.length > 0) yield part
  }
}
