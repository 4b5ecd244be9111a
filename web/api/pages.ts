import { ApiError, query, send, type Document, type Resource } from './client.ts'
import { WITH_CURSOR } from './log-positions.ts'
import { namingFields } from './queries.ts'
import { WITH_ACCESS } from './record-rights.ts'

/* A list of any length, of which the pages that somebody looks at are here. */

/** Records of a page: the most that the interface gives by offset. */
export const PAGE = 50
/** Pages that are kept: 10,000 records. */
const KEPT = 200
/** Requests under way at a time. */
const AT_ONCE = 2
/** Milliseconds after which what was refused is asked for again. */
const PAUSE = 2000

export interface ListAsked {
  readonly table: number
  /** In the language of filters. */
  readonly filter?: string | undefined
  /** Attributes, separated by commas; with `-` before it the last comes first. */
  readonly sort?: string | undefined
  /** Relationships whose records come along. */
  readonly include?: string | undefined
  /** The attributes of its records, separated by commas; all that answers have by themselves without it. */
  readonly names?: string | undefined
  /** Whether its records refer to records of the same list: those that are in it do not come along a second time. */
  readonly hasOwn?: boolean
}

type Load = (offset: number, signal: AbortSignal) => Promise<Document<readonly Resource[]>>

/**
 * The records of a list by their places, from 0. What is in sight is asked for first; what has gone out of sight before it came is abandoned. It
 * tells its listeners of everything that changes.
 */
export class RecordPages {
  /** Undefined until the first answer. */
  total: number | undefined
  /** Why the last page asked for did not come. */
  error: unknown
  /** Another number after each change. */
  version = 0
  /** How often all of it has been read again. */
  reads = 0
  /** Records that came along, by type and id. */
  readonly included = new Map<string, Resource>()
  /** Another number after more of them came. */
  brought = 0
  readonly #load: Load
  readonly #hasOwn: boolean
  readonly #pages = new Map<number, Resource[]>()
  /** Positions of the log, by page: it has all changes up to there. */
  readonly #read = new Map<number, number>()
  readonly #underWay = new Map<number, AbortController>()
  readonly #listeners = new Set<() => void>()
  /** Pages that are old: they are shown until they have come again. */
  readonly #old = new Set<number>()
  #wanted: readonly number[] = []
  #isClosed = false
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(load: Load, hasOwn = false) {
    this.#load = load
    this.#hasOwn = hasOwn
  }

  record(place: number): Resource | undefined {
    return this.#pages.get(Math.floor(place / PAGE))?.[place % PAGE]
  }

  /** Those of `from` to `to`, both included: what is not here is read besides, page by page. @throws ApiError */
  async read(from: number, to: number): Promise<Resource[]> {
    const found: Resource[] = []
    for (let page = Math.floor(from / PAGE); page <= Math.floor(to / PAGE); page++) {
      const records = this.#pages.get(page) ?? (await this.#load(page * PAGE, new AbortController().signal)).data
      found.push(...records.filter((_, i) => page * PAGE + i >= from && page * PAGE + i <= to))
    }
    return found
  }

  /** Whether all of them are here. */
  has(from: number, to: number): boolean {
    for (let page = Math.floor(from / PAGE); page <= Math.floor(to / PAGE); page++) if (!this.#pages.has(page)) return false
    return true
  }

  /** Whether a change, by its position in the log, is in what was read: of the record at this place; undefined: of one that is not here. */
  isIn(change: number, place: number | undefined): boolean {
    if (place !== undefined) return change <= Math.max(this.#read.get(Math.floor(place / PAGE)) ?? -1, this.record(place)!.asOf ?? -1)
    return this.#pages.size > 0 && [...this.#pages.keys()].every((page) => change <= (this.#read.get(page) ?? -1))
  }

  /** The place of a record that is here. */
  placeOf(id: string): number | undefined {
    for (const [page, records] of this.#pages) {
      const at = records.findIndex((one) => one.id === id)
      if (at >= 0) return page * PAGE + at
    }
    return undefined
  }

  /** A record that is here, with those of the tables to which `fields` refer. */
  known(id: string, fields: readonly { readonly name: string; readonly target: number | null }[]): Document<Resource> | undefined {
    const place = this.placeOf(id)
    const data = place === undefined ? undefined : this.record(place)
    return (
      data && {
        data,
        included: fields.flatMap(({ name, target }) =>
          target === null
            ? []
            : String(data.attributes[name] ?? '')
                .split('-')
                .flatMap((one) => this.included.get(`data${target} ${one}`) ?? []),
        ),
      }
    )
  }

  /** Those of these spans are in sight: `from` to `to`, both included, one span below the other. */
  look(...spans: readonly { readonly from: number; readonly to: number }[]): void {
    const last = this.total === undefined ? 0 : Math.max(0, Math.ceil(this.total / PAGE) - 1)
    const inSight = spans.flatMap(({ from, to }) => range(Math.max(0, Math.floor(from / PAGE)), Math.min(last, Math.floor(to / PAGE))))
    // One beside, for who goes on.
    this.#wanted = [...new Set([...inSight, (inSight.at(-1) ?? 0) + 1, (inSight[0] ?? 0) - 1])].filter((page) => page >= 0 && page <= last)
    for (const [page, abort] of this.#underWay) if (!this.#wanted.includes(page)) abort.abort()
    this.#next()
  }

  /** What the service holds by now. Its place stays. */
  put(record: Resource, included: readonly Resource[] = []): void {
    this.putAll([record], included)
  }

  putAll(records: readonly Resource[], included: readonly Resource[] = []): void {
    const own: Resource[] = []
    const wanted = new Map(records.map((record) => [record.id, record]))
    for (const page of this.#pages.values())
      page.forEach((before, i) => {
        const record = wanted.get(before.id)
        if (!record) return
        page[i] = { ...before, ...record, attributes: { ...before.attributes, ...record.attributes } }
        if (this.#hasOwn) own.push(page[i])
      })
    this.#bring([...included, ...own])
    this.#tell()
  }

  /** Records of other tables, to which those of the list refer. */
  bring(records: readonly Resource[]): void {
    this.#bring(records)
    this.#tell()
  }

  /** Asks again for what is in sight, and for the rest when it comes into sight. */
  refresh(): void {
    this.reads++
    for (const page of this.#pages.keys()) {
      if (this.#wanted.includes(page)) this.#old.add(page)
      else this.#pages.delete(page)
    }
    for (const abort of this.#underWay.values()) abort.abort()
    this.#underWay.clear()
    this.#next()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    for (const abort of this.#underWay.values()) abort.abort()
  }

  #next(): void {
    if (this.#isClosed || this.#retry) return
    for (const page of this.#wanted) {
      if (this.#underWay.size >= AT_ONCE) return
      if (!this.#underWay.has(page) && (!this.#pages.has(page) || this.#old.has(page))) void this.#ask(page)
    }
  }

  async #ask(page: number): Promise<void> {
    const abort = new AbortController()
    this.#underWay.set(page, abort)
    try {
      const { data, meta, cursor = -1, included = [] } = await this.#load(page * PAGE, abort.signal)
      if (abort.signal.aborted) return
      this.#pages.delete(page)
      this.#pages.set(page, [...data])
      this.#read.set(page, cursor)
      this.#old.delete(page)
      this.total = meta?.total ?? this.total ?? data.length
      this.error = undefined
      this.#bring(this.#hasOwn ? [...included, ...data] : included)
      this.#forget()
      this.#tell()
    } catch (error) {
      if (abort.signal.aborted || this.#isClosed) return
      this.error = error
      // What is wrong with the request stays wrong.
      if (!(error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429)) {
        const seconds = error instanceof ApiError ? error.seconds : 0
        this.#retry = setTimeout(
          () => {
            this.#retry = undefined
            this.#next()
          },
          seconds * 1000 || PAUSE,
        )
      } else this.#wanted = []
      this.#tell()
    } finally {
      if (this.#underWay.get(page) === abort) this.#underWay.delete(page)
      this.#next()
    }
  }

  #bring(included: readonly Resource[]): void {
    if (included.length > 0) this.brought++
    for (const one of included) {
      const key = `${one.type} ${one.id}`
      this.included.delete(key)
      this.included.set(key, one)
    }
    const most = KEPT * PAGE * 2
    for (const key of this.included.keys()) {
      if (this.included.size <= most) break
      this.included.delete(key)
    }
  }

  /** The pages that came first, but none in sight. */
  #forget(): void {
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= KEPT) return
      if (!this.#wanted.includes(page)) this.#pages.delete(page)
    }
  }

  #tell(): void {
    this.version++
    for (const listener of this.#listeners) listener()
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: Math.max(1, to - from + 1) }, (_, i) => from + i)

export const pagesOf = ({ table, filter, sort, include, names, hasOwn }: ListAsked): RecordPages =>
  new RecordPages(
    (offset, signal) =>
      namingFields(
        send(
          'GET',
          `data${table}?${query({ 'page[offset]': offset, 'page[limit]': PAGE, sort, filter, include, [`fields[data${table}]`]: names, ...WITH_ACCESS, ...WITH_CURSOR })}`,
          undefined,
          signal,
        ),
      ),
    hasOwn,
  )
