import type { Metrics } from '../metrics/metrics.ts'
import { metricsRegistry } from '../metrics/registry.ts'
import type { Environment } from '../store/ground/store.ts'
import { largeBodies } from './bodies/large-bodies.ts'
import { uploads } from './bodies/uploads.ts'
import { loggable } from './connections/failures.ts'
import { requestCounts } from './connections/request-counts.ts'
import type { HttpSettings, Log, Serving } from './connections/serving.ts'
import { answersTogether } from './connections/together.ts'
import { unreadAnswers } from './connections/unread.ts'

/** With what a server begins, besides its store. */
export interface Beginning {
  readonly environment: Environment
  readonly settings: HttpSettings
  readonly log: Log
  readonly pages?: NonNullable<Serving['pages']>
  /** What is counted; default: what the server counts itself. */
  readonly metrics?: Metrics
  /** A clock that never goes back, in seconds. Default: that of the environment. */
  readonly seconds?: () => number
  /** Makes the ids of requests. Default: they are counted. */
  readonly newId?: () => string
}

export function servingOf({ environment, settings, log, metrics = metricsRegistry(), pages, ...beginning }: Beginning): Serving {
  const { seconds = () => environment.now() / 1000, newId = counted() } = beginning
  return {
    settings,
    environment,
    log,
    metrics,
    counts: requestCounts(metrics, seconds),
    newId,
    together: answersTogether(seconds, (error) => log.error({ err: loggable(error) }, 'answer could not be sent')),
    unread: unreadAnswers(log),
    bodies: { bytes: 0 },
    largeBodies: largeBodies(),
    uploads: uploads(),
    pages,
    store: undefined,
    stopping: false,
    ending: new AbortController(),
  }
}

function counted(): () => string {
  let last = 0
  return () => String(++last)
}
