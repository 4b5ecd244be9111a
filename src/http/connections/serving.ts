import type { Environment, Store } from '../../store/ground/store.ts'
import type { LargeBodies } from '../bodies/large-bodies.ts'
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
  readonly unread: Unread
  /** Bytes of the bodies of all requests under way. */
  readonly bodies: { bytes: number }
  readonly largeBodies: LargeBodies
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
export type Refusing = Omit<Serving, 'unread' | 'largeBodies' | 'ending'>
