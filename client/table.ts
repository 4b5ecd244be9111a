import type { Filter } from './filter.ts'
import { newKey, type Connection } from './http.ts'

/** The types of one table, as `kartoteka types` prints them. */
export interface Shapes {
  readonly shown: object
  readonly create: object
  readonly update: object
}

type Shown<T extends Shapes> = keyof T['shown'] & string

/** F: the attributes that were asked for. */
export interface RecordOf<T extends Shapes, F extends Shown<T> = Shown<T>> {
  readonly type: string
  readonly id: string
  readonly attributes: Pick<T['shown'], F>
  readonly relationships?: Readonly<Record<string, unknown>>
  /** Of this version, where it was read or written alone: for `update` and `delete`. */
  readonly etag?: string
}

type Name<T extends Shapes> = Shown<T> | 'id'

export interface Asked<T extends Shapes, F extends Shown<T> = Shown<T>> {
  /** Names are those of attributes, also one step along a reference: `f12.f3`. */
  readonly filter?: Filter<Name<T> | `${Shown<T>}.${string}`> | Filter | string
  /** Attributes; `-` before one means descending. */
  readonly sort?: readonly (Name<T> | `-${Name<T>}`)[]
  /** The attributes to show. Default: all. */
  readonly fields?: readonly F[]
  /** Relationships to follow: `r12`, `data7_r12`, `r12.r4`. */
  readonly include?: readonly string[]
  readonly signal?: AbortSignal
}

export interface Page<T extends Shapes, F extends Shown<T> = Shown<T>> {
  readonly records: readonly RecordOf<T, F>[]
  readonly included: readonly RecordOf<Shapes>[]
  readonly total: number
}

export interface Writing {
  readonly signal?: AbortSignal
  /** Of a create: the same key makes no second record within 24 hours. Default: a new one for each call, for its own retries. */
  readonly idempotencyKey?: string
}

/** A record as it was read, or its id: with the record, a write is refused (412 `record.stale`) where it has changed since. */
export type Which = { readonly id: string; readonly etag?: string } | string | number

export interface FileInfo {
  readonly file_name: string
  readonly size: number
  readonly mime_type: string
}

type One<T extends Shapes> = { readonly data: RecordOf<T> }
type Many<T extends Shapes> = {
  readonly data: readonly RecordOf<T>[]
  readonly included?: readonly RecordOf<Shapes>[]
  readonly links: { readonly next?: string | null }
  readonly meta: { readonly total?: number }
}

/** Characters of a filter from which on it is sent in a body. */
const LONG = 2_000

/** The records of one table. */
export class TableClient<T extends Shapes> {
  private readonly connection: Connection
  readonly type: string
  constructor(connection: Connection, type: string) {
    this.connection = connection
    this.type = type
  }

  get = async <F extends Shown<T> = Shown<T>>(
    id: string | number,
    { fields, include, signal }: Omit<Asked<T, F>, 'filter' | 'sort'> = {},
  ): Promise<RecordOf<T, F>> => {
    const path = this.path(`/${id}`, this.query({ ...(fields && { fields }), ...(include && { include }) }))
    return this.one(await this.connection.json<One<T>>('GET', path, { signal }))
  }

  create = async (attributes: T['create'], { idempotencyKey = newKey(), signal }: Writing = {}): Promise<RecordOf<T>> => {
    const body = { data: { type: this.type, attributes } }
    const headers = { 'Idempotency-Key': idempotencyKey }
    return this.one(await this.connection.json<One<T>>('POST', this.path(), { body, headers, signal, repeatable: true }))
  }

  /** Changes the record that has the value sent of this unique field, or creates one. */
  upsert = async (by: keyof T['create'] & string, attributes: T['create'], { signal }: Writing = {}): Promise<RecordOf<T>> => {
    const body = { data: { type: this.type, attributes } }
    const path = this.path('', new URLSearchParams({ upsertBy: by }))
    return this.one(await this.connection.json<One<T>>('POST', path, { body, signal, repeatable: true }))
  }

  update = async (which: Which, attributes: T['update'], { signal }: Writing = {}): Promise<RecordOf<T>> => {
    const { id, headers } = this.condition(which)
    const body = { data: { type: this.type, id, attributes } }
    return this.one(await this.connection.json<One<T>>('PATCH', this.path(`/${id}`), { body, headers, signal }))
  }

  delete = async (which: Which, { signal }: Writing = {}): Promise<void> => {
    const { id, headers } = this.condition(which)
    await this.connection.json('DELETE', this.path(`/${id}`), { headers, signal, repeatable: false })
  }

  /** All records that match, page after page as they are asked for. What others write meanwhile moves nothing: pages are by cursors. */
  async *list<F extends Shown<T> = Shown<T>>({
    pageSize = 100,
    signal,
    ...asked
  }: Asked<T, F> & { readonly pageSize?: number } = {}): AsyncGenerator<RecordOf<T, F>, void> {
    const query = this.query(asked)
    query.set('page[size]', String(pageSize))
    let next: string | null | undefined = this.listPath(asked, query)
    while (next) {
      const page: Many<T> = await this.read(asked, next, signal)
      yield* page.data
      next = page.links.next
    }
  }

  /** One page by its offset, with the number of all records that match. */
  page = async <F extends Shown<T> = Shown<T>>({
    offset = 0,
    limit = 20,
    signal,
    ...asked
  }: Asked<T, F> & { readonly offset?: number; readonly limit?: number } = {}): Promise<Page<T, F>> => {
    const query = this.query(asked)
    query.set('page[offset]', String(offset))
    query.set('page[limit]', String(limit))
    const { data, included = [], meta } = await this.read(asked, this.listPath(asked, query), signal)
    return { records: data, included, total: meta.total! }
  }

  /** The files of a field of a record. */
  files = (id: string | number, field: keyof T['shown'] & string) => {
    const place = `/api/dev/file/${this.type.slice('data'.length)}/${field}/${id}`
    const named = (name: string) => `${place}/${encodeURIComponent(name)}`
    return {
      list: async (): Promise<readonly FileInfo[]> => {
        const { body } = await this.connection.json<{ readonly data: readonly { readonly attributes: FileInfo }[] }>('GET', place)
        return body.data.map(({ attributes }) => attributes)
      },
      /** Its body is a stream of the bytes. */
      get: (name: string, signal?: AbortSignal): Promise<Response> => this.connection.send('GET', named(name), { signal }),
      put: async (name: string, bytes: Blob | Uint8Array<ArrayBuffer> | string, type = 'application/octet-stream'): Promise<void> => {
        await this.connection.json('PUT', named(name), { body: bytes, headers: { 'Content-Type': type } })
      },
    }
  }

  private path(rest = '', query?: URLSearchParams): string {
    const text = query?.toString() ?? ''
    return `/api/dev/${this.type}${rest}${text === '' ? '' : `?${text}`}`
  }

  private query({ filter, sort, fields, include }: Asked<T>): URLSearchParams {
    const text = String(filter ?? '')
    return new URLSearchParams({
      ...(text !== '' && text.length <= LONG && { filter: text }),
      ...(sort && { sort: sort.join(',') }),
      ...(fields && { [`fields[${this.type}]`]: fields.join(',') }),
      ...(include && { include: include.join(',') }),
    })
  }

  private isLong = ({ filter }: Asked<T>): boolean => String(filter ?? '').length > LONG
  private listPath = (asked: Asked<T>, query: URLSearchParams): string => this.path(this.isLong(asked) ? '/search' : '', query)

  private async read(asked: Asked<T>, path: string, signal: AbortSignal | undefined): Promise<Many<T>> {
    if (!this.isLong(asked)) return (await this.connection.json<Many<T>>('GET', path, { signal })).body
    const body = { meta: { filter: String(asked.filter) } }
    return (await this.connection.json<Many<T>>('POST', path, { body, signal, repeatable: true })).body
  }

  private one({ body, headers }: { readonly body: One<T>; readonly headers: Headers }): RecordOf<T> {
    const etag = headers.get('ETag')
    return etag === null ? body.data : { ...body.data, etag }
  }

  private condition(which: Which): { readonly id: string; readonly headers: Record<string, string> } {
    if (typeof which !== 'object') return { id: String(which), headers: {} }
    return { id: which.id, headers: which.etag === undefined ? {} : { 'If-Match': which.etag } }
  }
}
