import type { IncomingMessage, Server } from 'node:http'
import type { Metrics, Histogram, Counter, Family } from '../../metrics/metrics.ts'

/*
 * Counts requests by route and status, with their times: from the moment in which the head of a request has arrived, until its answer begins to
 * be sent. Routes and statuses are those of the source; nothing that a client chooses becomes a label.
 */

/** Seconds. */
const TIMES = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export interface Counted {
  readonly method: string
  readonly path: string
}

export interface RequestCounts {
  began(request: IncomingMessage): void
  /** `endpoint`: undefined where the path or method has no route. HEAD counts as GET. */
  answered(request: IncomingMessage, endpoint: Counted | undefined, status: number): void
  /** Refused before a request was read. */
  refused(status: number): void
  /** Its client had gone before it was answered. */
  abandoned(): void
}

/** When a request began, on its message. */
const BEGAN = Symbol('began')
interface Timed {
  [BEGAN]?: number
}

interface Series {
  readonly byStatus: Map<number, Counter>
  readonly time: Histogram
  readonly labels: { readonly method: string; readonly route: string }
}

/** `seconds`: a clock that never goes back. */
export function requestCounts(metrics: Metrics, seconds: () => number): RequestCounts {
  const counts = metrics.counter('kartoteka_http_requests_total', 'Requests that were answered, by route and status.')
  const times = metrics.histogram(
    'kartoteka_http_request_duration_seconds',
    'Time from the arrival of the head of a request until its answer begins to be sent.',
    TIMES,
  )
  const abandoned = metrics
    .counter('kartoteka_http_requests_abandoned_total', 'Requests whose client had gone before they were answered.')
    .of({})
  const known = new Map<Counted | undefined, Series>()
  const seriesOf = (endpoint: Counted | undefined) => {
    const labels = { method: endpoint?.method ?? 'any', route: endpoint?.path ?? 'none' }
    const made = { byStatus: new Map<number, Counter>(), time: times.of(labels), labels }
    known.set(endpoint, made)
    return made
  }
  return {
    began: (request) => void ((request as Timed)[BEGAN] = seconds()),
    answered(request, endpoint, status) {
      const series = known.get(endpoint) ?? seriesOf(endpoint)
      statusOf(counts, series, status).add()
      const began = (request as Timed)[BEGAN]
      if (began !== undefined) series.time.observe(seconds() - began)
    },
    refused: (status) => statusOf(counts, known.get(undefined) ?? seriesOf(undefined), status).add(),
    abandoned: () => abandoned.add(),
  }
}

function statusOf(counts: Family<Counter>, { byStatus, labels }: Series, status: number): Counter {
  let found = byStatus.get(status)
  if (!found) byStatus.set(status, (found = counts.of({ ...labels, status: String(status) })))
  return found
}

/** What a server holds at this moment. */
export function observeServer(metrics: Metrics, server: Server, bodies: { readonly bytes: number }): void {
  let connections = 0
  server.on('connection', (socket) => {
    connections++
    socket.once('close', () => connections--)
  })
  metrics.observed('gauge', 'kartoteka_http_connections', 'Connections of clients.', () => [{ value: connections }])
  metrics.observed('gauge', 'kartoteka_http_body_bytes', 'Bytes of the bodies of all running requests.', () => [{ value: bodies.bytes }])
}
