import type { Environment, Store } from '../../store/ground/store.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import type { LargeBodies } from '../bodies/large-bodies.ts'
import type { RequestCounts } from './request-counts.ts'
import type { Uploads } from '../bodies/uploads.ts'
import type { About } from '../routing/probe.ts'
import type { Pages } from '../pages/pages.ts'
import type { Together } from './together.ts'
import type { Unread } from './unread.ts'

export interface HttpSettings {
  /** Base of absolute links, without a slash at the end; '' for the Host header. */
  readonly publicUrl: string
  /** Addresses and networks whose X-Forwarded-… headers count. */
  readonly trustedProxies: readonly string[]
  /** Origins whose pages may read answers. */
  readonly corsOrigins: readonly string[]
  /** Bytes. */
  readonly bodyLimit: number
  /** With it metrics are read without being an administrator; '' for none. */
  readonly metricsToken: string
  readonly uploadLimit: number
  /** What administrators are told of this process. */
  readonly about?: About
}

/** The log, for the operator. A pino logger is one. */
export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** State and settings that the modules of the server share. */
export interface Serving {
  readonly settings: HttpSettings
  readonly environment: Environment
  readonly log: Log
  readonly metrics: Metrics
  readonly counts: RequestCounts
  /** Makes the id of a request, which its answer and the log have. */
  readonly newId: () => string
  readonly together: Together
  readonly unread: Unread
  /** Bytes of the bodies of all requests under way. */
  readonly bodies: { bytes: number }
  readonly largeBodies: LargeBodies
  readonly uploads: Uploads
  /** The web pages; undefined: this service has none. */
  readonly pages: Pages | undefined
  store: Store | undefined
  stopping: boolean
  /** Aborted when it stops: answers that have no end of their own end then. */
  readonly ending: AbortController
  /** Whether it was logged that a proxy is not trusted. */
  warnedOfProxy?: true
  /** Whether it was logged that the database is damaged. */
  toldOfDamage?: true
}

/** What is needed to refuse a request. */
export type Refusing = Omit<Serving, 'pages' | 'together' | 'unread' | 'largeBodies' | 'uploads' | 'ending' | 'metrics'>
