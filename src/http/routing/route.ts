import type { Caller } from '../../store/model/access.ts'
import type { Catalogue } from '../../store/model/catalogue.ts'
import type { Store } from '../../store/ground/store.ts'

/** Reads one query parameter (undefined: not sent), or refuses it with a Failure; the server adds which parameter it was. */
export type Reader<T> = (raw: string | undefined) => T
type ReadAll<Readers> = { readonly [K in keyof Readers]: Readers[K] extends Reader<infer T> ? T : never }

/** `{table}` in a path is a numeric id, `{name:text}` any text without a slash, `{path:rest}` at its end all that follows, with slashes. */
export type Params<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Text}:${'text' | 'rest'}` ? { readonly [K in Text]: string } : { readonly [K in Name]: number }) & Params<Rest>
  : unknown

/** One request, authenticated and read. Routes that are open get a caller with no rights. */
export interface Incoming<Path extends string = string, Readers = Record<string, Reader<unknown>>> {
  readonly store: Store
  readonly catalogue: Catalogue
  readonly caller: Caller
  readonly params: Params<Path>
  readonly query: ReadAll<Readers>
  /** The decoded parameters by name; of a repeated one, the last. */
  readonly parameters: ReadonlyMap<string, string>
  /** The same in the order sent, repeated ones too: for links and for `filter[…]`. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
  /** Whether the answer is sent without its body (RFC 9110, 9.3.2); then the route need not make one. */
  readonly isHead: boolean
  /** Path with a leading slash, no query. */
  readonly path: string
  /** Scheme and host for absolute links, no trailing slash: the configured public URL or the Host header. */
  readonly origin: string
  /** The JSON body, undefined where none was sent. A number that a double cannot represent exactly is its text. */
  readonly body: unknown
  /** SHA-256 of the bytes of the body, in hex: tells whether two requests with one Idempotency-Key are the same. */
  bodyHash(): string
  header(name: string): string | undefined
}

/** A body that is made while it is sent. */
export interface Streamed {
  /**
   * Called when the head is sent; never for HEAD. `end` is aborted when the client has gone or the server stops. A body without an end
   * must end then; other bodies may go on. If the rest is not read, `return()` of the generator is called.
   */
  parts(end: AbortSignal): AsyncGenerator<string | Uint8Array>
}

export interface Reply {
  readonly status: number
  /** A JSON:API document, or bytes, a Node readable stream or a `Streamed` ready to send. Undefined: no body. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * The kind of token that a route needs. `none`: no token. `any`: any token; the route is about the token itself. `tables`: any token;
 * the route is about tables and what belongs to them, and a token that is limited to some tables reaches only those. `unlimited`: a
 * token that is not limited to some tables.
 */
export type Reach = 'none' | 'any' | 'tables' | 'unlimited'

/** The parts of a request that are known before its body is read. */
export type Asked<Path extends string = string> = Pick<Incoming<Path>, 'store' | 'catalogue' | 'caller' | 'params'>

/** A route with a body and a token has `allow`, which is called before the body is read, so that only permitted callers can send one. `run` checks again. */
type Writing<Path extends string> =
  | { readonly method: 'GET'; readonly token: Reach; readonly allow?: undefined }
  | { readonly method: 'POST'; readonly token: 'none'; readonly allow?: undefined }
  | {
      readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
      readonly token: Exclude<Reach, 'none'>
      /** @throws what `run` would throw to a caller without the right */
      allow(asked: Asked<Path>): unknown
    }

/** One endpoint: a declaration and a short `run`, without SQL, computed status codes or try/catch. */
export type Route<Path extends string = string, Readers = Record<string, Reader<unknown>>> = Writing<Path> & Declared<Path, Readers>

interface Declared<Path extends string, Readers> {
  readonly path: Path
  readonly says: string
  /** Whether this request may send files: then its body may have KARTOTEKA_BODY_LIMIT bytes. Called before the body is read. */
  bringsFiles?(catalogue: Catalogue, params: Readonly<Record<string, unknown>>): boolean
  /** The query parameters of the route; any other one is refused. */
  readonly query: Readers
  /** Whether it accepts the older `filter[f38]=<50` parameters too (interface 9.1). */
  readonly legacyFilter?: true
  /** Whether it accepts `fields[<type>]` parameters, which the handler reads (readers.ts, `selection`) before it writes anything. */
  readonly sparseFields?: true
  run(request: Incoming<Path, Readers>): Promise<Reply>
}

export const route = <const Path extends string, Readers extends Record<string, Reader<unknown>>>(
  one: Route<Path, Readers>,
): Route<Path, Readers> => one
