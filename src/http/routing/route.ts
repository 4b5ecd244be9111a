import type { ErrorCode } from '../../errors.ts'
import type { Schema } from '../../fields/field-type.ts'
import type { Caller } from '../../store/model/access.ts'
import type { Catalogue } from '../../store/model/catalogue.ts'
import type { StoredBytes } from '../../store/files/file-storage.ts'
import type { Store } from '../../store/ground/store.ts'

/** Reads one query parameter (undefined: not sent), or refuses it with a Failure; the server adds which parameter it was. */
export interface Reader<T> {
  (raw: string | undefined): T
  /** What the parameter means, as documents show it. */
  readonly says: string
  /** The values that may be sent, as they are before they are encoded. */
  readonly schema: Schema
}

/** Describes a reader. `read` becomes it. */
export const parameter = <T>(says: string, schema: Schema, read: (raw: string | undefined) => T): Reader<T> =>
  Object.assign((raw: string | undefined) => read(raw), { says, schema })

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
  /** The bytes of the body, where the route `receives` them. */
  readonly stored: StoredBytes | undefined
  /** SHA-256 of the bytes of the body, in hex: tells whether two requests with one Idempotency-Key are the same. */
  bodyHash(): string
  header(name: RequestHeader): string | undefined
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
  /** A JSON:API document, its text, or bytes, a Node readable stream or a `Streamed` ready to send. Undefined: no body. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The headers that a request may have besides those of every request, by their names. Documents are made of this table. */
export const requestHeaders = {
  'If-Match': 'An `ETag`: the request is refused (412) where the record has changed since.',
  'If-None-Match': 'An `ETag`: the answer is 304 without a body where it is still the current one.',
  Range: 'One range of bytes, such as `bytes=0-1023` or `bytes=-500`: the answer is 206 with these bytes.',
  'If-Range': 'The `ETag` for which `Range` holds: otherwise the answer is the whole file.',
  'Idempotency-Key':
    'Any text of the client: within 24 hours, the same request with the same key is answered as the first one was, and nothing is written again.',
  'Last-Event-ID': 'The id of the last event that was received: the stream goes on after it.',
} as const

export type RequestHeader = keyof typeof requestHeaders

/**
 * The body of a request or answer, as documents show it. In all its texts, `data{table}` stands for the table in the path, as it does in
 * the path itself. The functions in answers/described.ts make those of JSON:API documents.
 */
export interface Content {
  /** Absent: bytes, or text that is no JSON. References name components: resource types, `data{table}`, and what documents/components.ts has besides. */
  readonly schema?: Schema
  /** Default: application/vnd.api+json. */
  readonly media?: string
}

/** An answer of a route where it succeeds. */
export interface Answer {
  readonly status: 200 | 201 | 202 | 204 | 206 | 304
  /** Default: that of the status. */
  readonly says?: string
  /** Absent: no body. */
  readonly content?: Content
  /** The types of the resources in it, for `fields[<type>]`. */
  readonly types?: readonly string[]
}

/**
 * The kind of token that a route needs. `none`: no token. `any`: any token; the route is about the token itself. `tables`: any token;
 * the route is about tables and what belongs to them, and a token that is limited to some tables reaches only those. `unlimited`: a
 * token that is not limited to some tables.
 */
export type Reach = 'none' | 'any' | 'tables' | 'unlimited'

/** The parts of a request that are known before its body is read. */
export interface Asked<Path extends string = string> extends Pick<
  Incoming<Path>,
  'store' | 'catalogue' | 'caller' | 'params' | 'parameters' | 'header'
> {
  /** Bytes of the body, where the request says it. */
  readonly length?: number | undefined
}

/** A route with a body and a token has `allow`, which is called before the body is read, so that only permitted callers can send one. `run` checks again. */
type Writing<Path extends string> =
  | { readonly method: 'GET'; readonly token: Reach; readonly allow?: undefined; readonly takes?: undefined }
  | { readonly method: 'POST'; readonly token: 'none'; readonly allow?: undefined; readonly takes: Content | null }
  | {
      readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
      readonly token: Exclude<Reach, 'none'>
      /** @throws what `run` would throw to a caller without the right */
      allow(asked: Asked<Path>): unknown
      /** The body; null: none is read. */
      readonly takes: Content | null
    }

/** One endpoint: a declaration and a short `run`, without SQL, computed status codes or try/catch. */
export type Route<Path extends string = string, Readers = Record<string, Reader<unknown>>> = Writing<Path> & Declared<Path, Readers>

interface Declared<Path extends string, Readers> {
  readonly path: Path
  readonly says: string
  /** Documents are made of it, and a test holds it against what the pages of test/reference send and are answered. */
  readonly answers: Answer | readonly Answer[]
  /** Errors besides those that follow from its token, path, parameters and body (documents/errors-of-route.ts). */
  readonly fails?: readonly ErrorCode[]
  /** The headers that it reads. */
  readonly headers?: readonly RequestHeader[]
  /** Whether this request may send files: then its body may have KARTOTEKA_BODY_LIMIT bytes. Called before the body is read. */
  bringsFiles?(catalogue: Catalogue, params: Readonly<Record<string, unknown>>): boolean
  /** A parameter `link` is accepted instead of a token: it is signed for this text, which says what is read (people/signed-links.ts). */
  linked?(params: Params<Path>): string
  /**
   * The body is bytes of any media type: they are stored as they arrive, and `run` gets their hash (`Incoming.stored`). Returns how many
   * there may be, besides KARTOTEKA_UPLOAD_LIMIT. Called before the body is read, and after `allow`; `params` are texts.
   */
  receives?(catalogue: Catalogue, params: Readonly<Record<string, string>>): number
  /** The query parameters of the route; any other one is refused. */
  readonly query: Readers
  /** Whether it takes requests of pages of this service only, as every route that may write does with a session. */
  readonly ownPages?: true
  /** Whether it is answered while an administrator sees what others see, as every GET is: it changes nothing of theirs (DECISIONS A58). */
  readonly whileViewing?: true
  /** Whether it accepts the older `filter[f38]=<50` parameters too (interface 9.1). */
  readonly legacyFilter?: true
  /** URI of the extension of JSON:API that its documents use; requests must name it. */
  readonly extension?: string
  /** Whether it accepts `fields[<type>]` parameters, which the handler reads (readers.ts, `selection`) before it writes anything. */
  readonly sparseFields?: true
  run(request: Incoming<Path, Readers>): Promise<Reply>
}

export const route = <const Path extends string, Readers extends Record<string, Reader<unknown>>>(
  one: Route<Path, Readers>,
): Route<Path, Readers> => one
