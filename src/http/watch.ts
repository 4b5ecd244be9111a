import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { fail } from '../errors.ts'
import { digest } from '../store/people/idempotency.ts'
import { mustBeShort } from './answers/negotiation.ts'
import type { Serving } from './connections/serving.ts'
import { mustBeServing } from './exchange.ts'
import { identify, tokenOf } from './identify.ts'
import type { Probe, Watching } from './routing/probe.ts'
import type { Store } from '../store/ground/store.ts'
import type { Reply } from './routing/route.ts'

/** Answers a request to an endpoint beside the interface. Nothing but its headers is read. */
export async function answerProbe(serving: Serving, probe: Probe, request: FastifyRequest): Promise<Reply> {
  mustBeShort(request.headers)
  const watching: Watching = {
    store: serving.store,
    isStopping: serving.stopping,
    accept: request.headers.accept,
    path: request.url.split('?', 1)[0]!,
    header: (name) => request.headers[name]?.toString(),
    pages: serving.pages,
    metrics: () => serving.metrics.text(),
    about: serving.settings.about,
    mustAdminister: () => mustAdminister(serving, request, 'read what the service is'),
    mustMeasure: () => mustMeasure(serving, request),
  }
  return probe.run(watching)
}

async function mustMeasure(serving: Serving, request: FastifyRequest): Promise<void> {
  const { metricsToken } = serving.settings
  const { token } = tokenOf(request.headers)
  // Asks nothing of the database: metrics can be read while it is away.
  if (metricsToken !== '' && token !== undefined && isSame(token, metricsToken)) return
  await mustAdminister(serving, request, 'read metrics')
}

async function mustAdminister(serving: Serving, request: FastifyRequest, what: string): Promise<Store> {
  const store = mustBeServing(serving)
  await store.catchUp?.()
  const caller = await identify(serving.settings, store, { method: 'GET', token: 'unlimited' }, request)
  if (!caller.administrator) throw fail('access.denied', { what })
  return store
}

/** In the same time for every text. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(digest(one)), Buffer.from(digest(other)))
