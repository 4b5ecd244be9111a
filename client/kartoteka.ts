import { follow, followJob, type Change, type Following, type Job } from './events.ts'
import { Connection, newKey, type Asking, type Settings } from './http.ts'
import { TableClient, type RecordOf, type Shapes } from './table.ts'

/*
 * A client of Kartoteka for browsers and Node: fetch and nothing else. It is generic over the types that `kartoteka types` prints:
 *
 *   import { kartoteka, eq } from './client/kartoteka.ts'
 *   import type { Tables } from './tables.ts'
 *   const api = kartoteka<Tables>({ url: 'https://crm.example.com', token })
 *   for await (const deal of api.table('data7').list({ filter: eq('f2', 'Won') })) console.log(deal.attributes.f1)
 */

export * from './filter.ts'
export { ApiError, type ErrorObject, type Settings } from './http.ts'
export type { Change, Following, Job } from './events.ts'
export type { Asked, FileInfo, Page, RecordOf, Shapes, TableClient, Which, Writing } from './table.ts'

/** Tables whose types are not known: values as answers show them, and anything to send. */
export type AnyTables = Readonly<
  Record<`data${number}`, { shown: Record<string, string>; create: Record<string, unknown>; update: Record<string, unknown> }>
>

type ShapesOf<T, K extends keyof T> = T[K] extends Shapes ? T[K] : never

/** A record of a batch: one that exists, or one that an earlier operation creates. */
type Target = string | number | { readonly lid: string }

/** Operations that are done together, all of them or none; each returns what later ones can name it by. */
export class Batch<T> {
  readonly operations: unknown[] = []

  create<K extends keyof T & string>(type: K, attributes: ShapesOf<T, K>['create'], relationships?: object): { readonly lid: string } {
    const lid = `new-${this.operations.length}`
    this.operations.push({ op: 'add', data: { type, lid, attributes, ...(relationships && { relationships }) } })
    return { lid }
  }

  update<K extends keyof T & string>(type: K, which: Target, attributes: ShapesOf<T, K>['update']): void {
    this.operations.push({ op: 'update', data: { ...targetOf(type, which), attributes } })
  }

  delete<K extends keyof T & string>(type: K, which: Target): void {
    this.operations.push({ op: 'remove', ref: targetOf(type, which) })
  }
}

const targetOf = (type: string, which: Target) => (typeof which === 'object' ? { type, lid: which.lid } : { type, id: String(which) })

const ATOMIC = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

/** What an undo did. */
export interface Undone {
  readonly batch_id: number | null
  readonly records: number
  readonly conflicts: number
  readonly listed: readonly Readonly<Record<string, unknown>>[]
}

export interface Kartoteka<T> {
  /** The records of a table, by its type. */
  table<K extends keyof T & string>(type: K): TableClient<ShapesOf<T, K>>
  /** A list of the service's own (`user`, `table`, `field` …), with untyped attributes. */
  resource(type: string): TableClient<{ shown: Record<string, unknown>; create: Record<string, unknown>; update: Record<string, unknown> }>
  /** Does what `fill` adds, all of it or nothing, as one batch. The results are in the order of the operations. */
  batch(fill: (batch: Batch<T>) => void): Promise<readonly (RecordOf<Shapes> | undefined)[]>
  /** Takes back the changes of a batch, however many requests that takes. */
  undo(batch: string | number): Promise<Undone>
  /** Changes as they happen. */
  follow(following?: Following): AsyncGenerator<Change, void>
  /** A job each time it has come further; its end is the last one. */
  followJob(id: string | number, signal?: AbortSignal): AsyncGenerator<Job, void>
  /** Any other request; the parsed answer. @throws ApiError */
  request<R>(method: string, path: string, asking?: Asking): Promise<R>
}

export function kartoteka<T extends { readonly [K in keyof T]: Shapes } = AnyTables>(settings: Settings): Kartoteka<T> {
  const connection = new Connection(settings)
  return {
    table: (type) => new TableClient(connection, type),
    resource: (type) => new TableClient(connection, type),
    async batch(fill) {
      const batch = new Batch<T>()
      fill(batch)
      const body = JSON.stringify({ 'atomic:operations': batch.operations })
      const headers = { 'Content-Type': ATOMIC, 'Idempotency-Key': newKey() }
      const answer = await connection.json<Results>('POST', '/api/dev/operations', { body, headers, repeatable: true })
      return answer.body['atomic:results'].map(({ data }) => data)
    },
    async undo(batch) {
      for (;;) {
        const { body } = await connection.json<{ readonly meta: Undone & { readonly done: boolean } }>(
          'POST',
          `/api/dev/batch/${batch}/undo`,
          {
            repeatable: true,
          },
        )
        const { done, ...undone } = body.meta
        if (done) return undone
      }
    },
    follow: (following) => follow(connection, following),
    followJob: (id, signal) => followJob(connection, id, signal),
    request: async <R>(method: string, path: string, asking?: Asking) => (await connection.json<R>(method, path, asking)).body,
  }
}

type Results = { readonly 'atomic:results': readonly { readonly data?: RecordOf<Shapes> }[] }
