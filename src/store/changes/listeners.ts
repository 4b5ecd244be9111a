import { limits } from '../../limits.ts'
import { memo } from '../../memory/memo.ts'
import { reportTo } from '../ground/fault.ts'
import { committed } from '../ground/relation.ts'
import type { Store } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { nobody } from '../model/asker.ts'
import { callersNow } from '../people/authenticate.ts'
import { othersTurn } from '../scheduling/others-turn.ts'
import { endOfLog, followChanges } from './follow-changes.ts'
import type { Change } from './list-changes.ts'
import { bytesOf, makePlaces, mustHaveRoom, piecesOf, type Place, type Places, type Wish } from './places.ts'
import { groupsOf, makeNarrowings, type Narrowings } from './sharing.ts'
import { logBatch, mayFollow, seenBy, type LogBatch } from './stream-view.ts'
import { tailLog, type LogPart, type Tail } from './tail.ts'

/*
 * Live changes for many listeners. Those with the same rights and wishes share what is computed and the bytes that are sent. The rights are
 * those of the moment in which a change is passed on.
 */

export interface Listener {
  /** The next bytes to send, in the order of the log; undefined: the stream ends. */
  next(): Promise<Uint8Array | undefined>
  end(): void
}

export interface Listeners {
  /** @throws `server.busy`, `events.too_many` where there is no room for another one of this token or user */
  mustHaveRoom(caller: Caller): void
  /** Undefined: there is no room. */
  listen(wish: Wish): Listener | undefined
}

/** What is sent. */
export interface Framing {
  form(change: Change): string
  /** Says where the stream is, with no change; also to tell that it lives. */
  position(at: number): string
}

/** Milliseconds between two signs of life. */
const PULSE = 15_000

type Used = Pick<Store, 'db' | 'catalogue' | 'context' | 'environment' | 'settings' | 'onFault' | 'onCommit' | 'catchUp'>

/** What the functions below share. */
interface Hub {
  readonly store: Used
  readonly framing: Framing
  readonly places: Places
  readonly narrowings: Narrowings
  readonly report: (error: unknown) => void
  tail: Tail | undefined
  starting: Promise<void> | undefined
  pulse: NodeJS.Timeout | undefined
  /** Where the log was read for all, or is being passed on. Who joins later gets what comes after it. */
  head: number
  catalogue: unknown
}

/** Those of a store; made when somebody listens for the first time. */
export const listenersOf = memo((store: Store, framing: Framing): Listeners => {
  const places = makePlaces(() => {
    hub.tail?.stop()
    hub.tail = undefined
    clearInterval(hub.pulse)
  })
  const report = reportTo(store.onFault, 'changes could not be passed on to listeners')
  const hub: Hub = {
    store,
    framing,
    places,
    report,
    narrowings: makeNarrowings(store),
    catalogue: store.catalogue(),
    tail: undefined,
    starting: undefined,
    pulse: undefined,
    head: 0,
  }
  return {
    mustHaveRoom: (caller) => mustHaveRoom(places, caller),
    listen(wish) {
      if (places.full(wish.caller)) return undefined
      const place = places.add(wish)
      begin(hub, place).catch((error: unknown) => {
        places.end(place)
        report(error)
      })
      return { next: () => places.next(place), end: () => places.end(place) }
    },
  }
})

/** Brings a listener to where the log is read for all; then it gets what the others get. */
async function begin(hub: Hub, place: Place): Promise<void> {
  const { store, framing, places, narrowings } = hub
  await start(hub)
  if (place.wish.after === undefined) place.at = Math.max(await endOfLog(store, committed(store)), hub.tail?.position ?? 0)
  places.send(place, bytesOf(framing.position(place.at)))
  while (!place.isEnded) {
    if (hub.tail && place.at >= Math.max(hub.head, hub.tail.position)) break
    await store.catchUp?.()
    await recheck(hub, [place])
    const narrowing = place.isEnded ? undefined : await narrowings.of(place)
    if (!narrowing) return places.end(place)
    const { tables } = place.wish
    const now = store.catalogue()
    // What others were passed already can be read by now.
    const reached = Math.max(hub.head, hub.tail?.position ?? 0)
    const following = { after: place.at, limit: limits.page.most, filter: undefined, tables, narrowing }
    const page = await followChanges(store, place.caller, following)
    // The rights may have changed while it was read.
    if (store.catalogue() !== now) continue
    place.at = page.more ? page.cursor : Math.max(page.cursor, reached)
    for (const piece of piecesOf(page.changes.map((change) => framing.form(change)))) {
      places.send(place, piece)
      await places.drain(place)
    }
  }
  place.isLive = true
}

async function start(hub: Hub): Promise<void> {
  const { store, places, report } = hub
  if (hub.tail) return
  hub.starting ??= endOfLog(store, committed(store))
    .then((at) => {
      if (hub.tail || places.all().length === 0) return
      hub.tail = tailLog(store, at, { take: (part) => pass(hub, part), everyLook: () => lookAtRights(hub) })
      hub.pulse = setInterval(() => void beat(hub).catch(report), PULSE)
    })
    .finally(() => (hub.starting = undefined))
  await hub.starting
}

async function beat(hub: Hub): Promise<void> {
  const { store, framing, places } = hub
  hub.narrowings.forget()
  await store.catchUp?.()
  await recheck(hub, places.all())
  for (const place of places.all()) if (place.isLive && place.queue.length === 0) places.send(place, bytesOf(framing.position(place.at)))
}

async function lookAtRights(hub: Hub): Promise<void> {
  const now = hub.store.catalogue()
  if (now === hub.catalogue) return
  hub.catalogue = now
  hub.narrowings.forget()
  await recheck(hub, hub.places.all())
}

/** Ends those whose request would be refused now, and gives the others their present rights. */
async function recheck({ store, places }: Hub, some: readonly Place[]): Promise<void> {
  const callers = await callersNow(
    store,
    some.map(({ wish }) => wish.caller.tokenId),
  )
  for (const place of some) {
    const caller = callers.get(place.wish.caller.tokenId)
    if (!caller || ![...(place.wish.tables ?? [])].every((id) => mayFollow(store, caller, id))) places.end(place)
    else place.caller = caller
  }
}

/** Passes a part of the log on to all who are live when it comes. */
async function pass(hub: Hub, { rows, to }: LogPart): Promise<void> {
  const { store, places, report } = hub
  hub.head = Math.max(hub.head, to)
  const live = places.all().filter(({ isLive }) => isLive)
  if (rows.length > 0) {
    await store.catchUp?.()
    await recheck(hub, live)
    const batch = logBatch(store, nobody, rows)
    for (const group of groupsOf(store, live)) {
      await passTo(hub, group, batch).catch((error: unknown) => {
        // They come back with the last id that they have.
        group.forEach(places.end)
        report(error)
      })
      await othersTurn()
    }
  }
  for (const place of live) place.at = Math.max(place.at, to)
}

/** Passes a batch on to listeners that are shown the same. */
async function passTo(hub: Hub, group: readonly Place[], batch: LogBatch): Promise<void> {
  const { store, places, narrowings } = hub
  const [first] = group
  const { tables } = first!.wish
  let rest = tables ? batch.rows.filter(({ tableId }) => tables.has(tableId)) : batch.rows
  while (rest.length > 0) {
    const now = store.catalogue()
    const narrowing = await narrowings.of(first!)
    if (!narrowing) return group.forEach(places.end)
    const seen = await seenBy(store, first!.caller, { ...batch, rows: rest }, narrowing)
    if (store.catalogue() !== now) {
      // The rights may have changed while it was read: each again, by its own.
      await recheck(hub, group)
      const left = group.filter(({ isEnded }) => !isEnded)
      for (const again of groupsOf(store, left)) await passTo(hub, again, { ...batch, rows: rest })
      return
    }
    await sendTo(
      hub,
      group,
      seen.filter((change) => change !== undefined),
    )
    for (const place of group) place.at = Math.max(place.at, rest[seen.length - 1]!.id)
    rest = rest.slice(seen.length)
  }
}

async function sendTo({ places, framing }: Hub, group: readonly Place[], changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const texts = changes.map((change) => framing.form(change))
  // Who has come to be live in the middle of the batch has the changes before.
  const ahead = new Set(group.filter(({ at }) => at >= changes[0]!.id))
  for (const place of ahead) for (const piece of piecesOf(texts.filter((_, i) => changes[i]!.id > place.at))) places.send(place, piece)
  for (const [i, piece] of piecesOf(texts).entries()) {
    // Connections that are read take what they were passed before.
    if (i > 0) await othersTurn()
    for (const place of group) if (!ahead.has(place)) places.send(place, piece)
  }
}
