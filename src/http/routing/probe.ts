import type { Store } from '../../store/ground/store.ts'
import type { Pages } from '../pages/pages.ts'
import type { Reply } from './route.ts'

/** What administrators are told of this process. */
export interface About {
  readonly version: string
  /** Without what is secret. */
  readonly settings: readonly object[]
}

/** A request to an endpoint beside the interface: nothing but its headers is read. */
export interface Watching {
  /** Undefined while the service starts. */
  readonly store: Store | undefined
  readonly isStopping: boolean
  readonly accept: string | undefined
  /** Of the request, without the query. */
  readonly path: string
  /** The value of a header; `name` in lower case. */
  header(name: string): string | undefined
  /** Undefined where this service has none (KARTOTEKA_PAGES). */
  readonly pages: Pages | undefined
  /** All metrics of this process, as text. */
  metrics(): string
  /** What the program says of itself and its settings. */
  readonly about: About | undefined
  /** @throws `auth.…`, `access.denied` unless the token is that of an administrator, `server.unavailable` while there is no store */
  mustAdminister(): Promise<Store>
  /** @throws `auth.…`, `access.denied` unless the token is that of an administrator, or KARTOTEKA_METRICS_TOKEN */
  mustMeasure(): Promise<void>
}

/**
 * An endpoint for programs that watch the service, or for a browser. It is answered also while the service starts or stops, in a media type
 * of its own.
 */
export interface Probe {
  readonly method: 'GET'
  readonly path: string
  readonly says: string
  readonly token: 'none' | 'unlimited'
  readonly query: Readonly<Record<string, never>>
  /** Whether it is a page, or a part of one: it belongs to no interface, and only browsers find pages. */
  readonly forBrowsers?: true
  run(request: Watching): Promise<Reply>
}

export const probe = (one: Omit<Probe, 'method' | 'query'>): Probe => ({ method: 'GET', query: {}, ...one })
