import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { cursorOf, query, send, type Resource } from './client.ts'
import { queries } from './queries.ts'

/* Webhooks, and what came of each delivery. */

export interface Webhook {
  readonly url: string
  /** 0: all. */
  readonly table_id: number
  /** None: all. */
  readonly actions: readonly string[]
  readonly filter: string
  readonly active: boolean
  readonly user_id: number
  /** Why it sends nothing; empty: nothing is wrong. */
  readonly fault: string
}

export type Wanted = Pick<Webhook, 'url' | 'table_id' | 'actions' | 'filter' | 'active'>
export type WebhookResource = Resource & { readonly attributes: Webhook }

export interface Delivery {
  readonly webhook_id: number
  /** 0: a test, or changes that have expired. */
  readonly change_id: number
  readonly table_id: number
  readonly record_id: number
  readonly state: 'waiting' | 'delivered' | 'parked' | 'withheld' | 'expired'
  /** Of the last answer; 0: there was none. */
  readonly status: number
  readonly fault: string
  readonly made_at: string
  readonly next_at: string
  readonly attempts: readonly { readonly made_at: string; readonly status: number; readonly fault: string }[]
}

export type DeliveryResource = Resource & { readonly attributes: Delivery }

export const webhooks = queryOptions({
  queryKey: ['webhook'],
  queryFn: ({ signal }) =>
    send<readonly WebhookResource[]>('GET', `webhook?${query({ 'page[size]': 1000, sort: '-id' })}`, undefined, signal),
  staleTime: 0,
})

/** Deliveries of a page. */
const PAGE = 25
/** Milliseconds after which deliveries that wait are looked at again, and others. */
const [SOON, LATER] = [1500, 15_000]

/** The latest first. `failed`: those alone that have not arrived. */
export const deliveriesOf = (webhook: string | undefined, failed: boolean) =>
  infiniteQueryOptions({
    queryKey: ['webhook_delivery', webhook, failed],
    queryFn: ({ signal, pageParam }) => {
      const parts = [...(webhook ? [`eq(webhook_id,${webhook})`] : []), ...(failed ? ["ne(state,'delivered')"] : [])]
      const filter = parts.length === 2 ? `and(${parts.join()})` : parts[0]
      return send<readonly DeliveryResource[]>(
        'GET',
        `webhook_delivery?${query({ sort: '-id', 'page[size]': PAGE, 'page[after]': pageParam, filter })}`,
        undefined,
        signal,
      )
    },
    initialPageParam: '',
    getNextPageParam: ({ links }) => cursorOf(links?.next, 'after'),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some(({ attributes }) => attributes.state === 'waiting')) ? SOON : LATER,
    staleTime: 0,
  })

/** How many deliveries of a webhook are not tried any more. */
export const parkedOf = (webhook: string) =>
  queryOptions({
    queryKey: ['webhook_delivery', webhook, 'parked'],
    queryFn: ({ signal }) =>
      send<readonly Resource[]>(
        'GET',
        `webhook_delivery?${query({ 'page[limit]': 1, filter: `and(eq(webhook_id,${webhook}),eq(state,'parked'))` })}`,
        undefined,
        signal,
      ),
    staleTime: 0,
  })

/** Of each webhook, how many deliveries were given up, and whether one is tried again and again. */
export const troubles = queryOptions({
  queryKey: ['webhook_delivery', 'troubles'],
  queryFn: async ({ signal }) => {
    const filter = "or(eq(state,'parked'),eq(state,'waiting'))"
    const { data } = await send<readonly DeliveryResource[]>(
      'GET',
      `webhook_delivery?${query({ sort: '-id', 'page[size]': 1000, filter })}`,
      undefined,
      signal,
    )
    const found = new Map<string, { parked: number; isTried: boolean }>()
    for (const { attributes: its } of data) {
      const one = found.get(String(its.webhook_id)) ?? { parked: 0, isTried: false }
      if (its.state === 'parked') one.parked++
      else one.isTried ||= its.attempts.length > 0
      found.set(String(its.webhook_id), one)
    }
    return found
  },
  refetchInterval: ({ state }) => ([...(state.data?.values() ?? [])].some(({ isTried }) => isTried) ? SOON : LATER),
  staleTime: 0,
})

/** A change that was delivered. */
export interface Delivered {
  readonly table_id: number
  readonly record_id: number
  readonly resource_type: string
  readonly action: string
  readonly changes: Readonly<Record<string, { readonly from: unknown; readonly to: unknown } | null>> | null
}

/** What the deliveries tell of; changes that are too old are not there any more. */
export const changesOf = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['change', ids],
    queryFn: async ({ signal }) => {
      const found = new Map<number, Delivered>()
      for (let i = 0; i < ids.length; i += PAGE) {
        const asked = query({ filter: `in(id,${ids.slice(i, i + PAGE).join()})`, 'page[limit]': PAGE })
        const { data } = await send<readonly Resource[]>('GET', `change?${asked}`, undefined, signal)
        for (const { id, attributes } of data) found.set(Number(id), attributes as unknown as Delivered)
      }
      return found
    },
    placeholderData: (before) => before,
  })

const refresh = () =>
  Promise.all([queries.invalidateQueries({ queryKey: ['webhook'] }), queries.invalidateQueries({ queryKey: ['webhook_delivery'] })])

/** Returns its id and its secret, which nothing shows again. @throws ApiError */
export async function makeWebhook(attributes: Wanted): Promise<{ readonly id: string; readonly secret: string }> {
  const { data } = await send<Resource>('POST', 'webhook', { data: { type: 'webhook', attributes } })
  await refresh()
  return { id: data.id, secret: String(data.attributes['secret']) }
}

/** @throws ApiError */
export async function changeWebhook(id: string, attributes: Partial<Wanted>): Promise<void> {
  // A switch is shown as it was set at once; what is refused is read again.
  const { active } = attributes
  if (active !== undefined)
    queries.setQueryData(
      webhooks.queryKey,
      (before) =>
        before && {
          ...before,
          data: before.data.map((one) => (one.id === id ? { ...one, attributes: { ...one.attributes, active, fault: '' } } : one)),
        },
    )
  try {
    await send('PATCH', `webhook/${id}`, { data: { type: 'webhook', id, attributes } })
  } finally {
    await refresh()
  }
}

/** With its deliveries that wait. @throws ApiError */
export async function removeWebhook(id: string): Promise<void> {
  await send('DELETE', `webhook/${id}`)
  await refresh()
}

/** The former secret signs too for a day. @throws ApiError */
export async function renewSecret(id: string): Promise<string> {
  const { data } = await send<Resource>('POST', `webhook/${id}/secret`)
  return String(data.attributes['secret'])
}

/** @throws ApiError */
export async function testWebhook(id: string): Promise<void> {
  await send('POST', `webhook/${id}/test`)
  await refresh()
}

/** @throws ApiError */
export async function sendAgain(delivery: string): Promise<void> {
  await send('POST', `webhook_delivery/${delivery}/replay`)
  await refresh()
}

/** All that are not tried any more, up to a thousand. @throws ApiError at the first that is refused */
export async function sendParkedAgain(webhook: string): Promise<void> {
  const filter = `and(eq(webhook_id,${webhook}),eq(state,'parked'))`
  const { data } = await send<readonly Resource[]>('GET', `webhook_delivery?${query({ filter, 'page[size]': 1000 })}`)
  try {
    for (const { id } of data) await send('POST', `webhook_delivery/${id}/replay`)
  } finally {
    await refresh()
  }
}
