import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import type { Catalogue } from '../model/catalogue.ts'
import { callersNow } from '../people/authenticate.ts'
import type { Place, Places } from './places.ts'
import { sameRights, sameRules } from './sharing.ts'
import { mayFollow } from './stream-view.ts'

/* The rights of listeners, as they are now. */

interface Hub {
  readonly store: Parameters<typeof callersNow>[0] & Uses<'catalogue'>
  readonly places: Places
}

/** How often something is read again because structure or rights have changed meanwhile, at most. */
export const REPEATED = 5

/** Ends those whose request would be refused now, and gives the others their present rights. */
export async function recheck({ store, places }: Hub, some: readonly Place[]): Promise<void> {
  const callers = await callersNow(
    store,
    some.map(({ subscription }) => subscription.caller.tokenId),
  )
  for (const place of some) {
    const caller = callers.get(place.subscription.caller.tokenId)
    if (!caller || ![...(place.subscription.tables ?? [])].every((id) => mayFollow(store, caller, id))) places.end(place)
    else place.caller = caller
  }
}

/**
 * Those to whom what was read for one of them, with its rights of then, may be passed now: none where structure or rules have changed since.
 * Where users or tokens have changed, such as by a sign-in, their rights are looked up again.
 */
export async function stillSame(hub: Hub, group: readonly Place[], caller: Caller, before: Catalogue): Promise<ReadonlySet<Place>> {
  const { store } = hub
  let last = before
  for (let i = 0; store.catalogue() !== last; i++) {
    if (i === REPEATED || !sameRules(store.catalogue(), before)) return new Set()
    last = store.catalogue()
    await recheck(hub, group)
  }
  return new Set(group.filter((place) => !place.isEnded && sameRights(place.caller, caller)))
}
