import { limits } from '../../limits.ts'
import { memo } from '../../memory/memo.ts'
import { asOfNow } from '../ground/clock.ts'
import { reportTo } from '../ground/fault.ts'
import { committed } from '../ground/relation.ts'
import type { Store } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { nobody } from '../model/asker.ts'
import { atMost, type AtMost } from '../scheduling/at-most.ts'
import { othersTurn } from '../scheduling/others-turn.ts'
import { endOfLog, followChanges } from './follow-changes.ts'
import type { Change } from './list-changes.ts'
import { bytesOf, makePlaces, mustHaveRoom, piecesOf, slotsOfUsers, type Place, type Places, type Subscription } from './places.ts'
import { recheck, REPEATED, stillSame } from './rights-now.ts'
import { groupsOf, makeNarrowings, type Narrowings } from './sharing.ts'
import { logBatch, seenBy, type LogBatch } from './stream-view.ts'
import { SOON, tailLog, type LogPart, type Tail } from './tail.ts'

/*
 * Live changes for many listeners. Those with the same rights and subscription share what is computed and the bytes that are sent. The rights are
 * those of the moment in which a change is passed on.
 */

export interface Listener {
  /** The next bytes to send, in the order of the log; undefined: the stream ends. */
  next(): Promise<Uint8Array | undefined>
  /** Sends something else among the changes, without a position in the log. */
  send(text: string): void
  end(): void
}

export interface Listeners {
  load: Places['load']
  /** @throws `server.busy`, `events.too_many` where there is no room for another one of this token or user */
  mustHaveRoom(caller: Caller): void
  /** Undefined: there is no room. */
  listen(subscription: Subscription): Listener | undefined
}

/** What is sent. */
export interface Framing {
  /** The caller is one of those who are shown it: all of them have the same rights. */
  form(change: Change, caller: Caller): string
  /** Says where the stream is, with no change; also to tell that it lives. */
  position(at: number): string
}

/** Milliseconds between two signs of life. */
const PULSE = 15_000
/** Milliseconds between two looks at the log for one whose filter costs much. */
const COSTLY_POLL = 250
/** Code units of long texts that the filters of a group may look through in a part of the log: some 75 ms. */
const SPENT_LIVE = 4_194_304
/** Bytes of the contents of a page for one that is not live, about. */
const PAGE = 131_072
/** Pages that are read at once for those who are not live. */
const READING = 16

type Used = Pick<Store, 'db' | 'catalogue' | 'context' | 'environment' | 'settings' | 'onFault' | 'onCommit' | 'catchUp'>

/** What the functions below share. */
interface Hub {
  readonly store: Used
  readonly framing: Framing
  readonly places: Places
  readonly narrowings: Narrowings
  readonly reading: AtMost
  /** Turns of a user. */
  readonly slots: (userId: number) => AtMost
  readonly report: (error: unknown) => void
  tail?: Tail | undefined
  starting?: Promise<void> | undefined
  pulse?: NodeJS.Timeout
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
    reading: atMost(READING, limits.eventStreams.most),
    slots: slotsOfUsers(),
    catalogue: store.catalogue(),
    head: 0,
  }
  return {
    load: places.load,
    mustHaveRoom: (caller) => mustHaveRoom(places, caller),
    listen(subscription) {
      if (places.full(subscription.caller)) return undefined
      const place = places.add(subscription)
      begin(hub, place).catch((error: unknown) => {
        places.end(place)
        report(error)
      })
      return { next: () => places.next(place), send: (text) => places.send(place, bytesOf(text)), end: () => places.end(place) }
    },
  }
})

/** Begins a stream; then it gets what the others get. */
async function begin(hub: Hub, place: Place): Promise<void> {
  const { store, framing, places } = hub
  await start(hub)
  if (place.subscription.after === undefined) place.at = Math.max(await endOfLog(store, committed(store)), hub.tail?.position ?? 0)
  places.send(place, bytesOf(framing.position(place.at)))
  await catchUp(hub, place)
}

/** Brings a listener to where the log is read for all. One whose filter costs too much stays there by itself. */
async function catchUp(hub: Hub, place: Place): Promise<void> {
  const { framing, places } = hub
  let repeated = 0
  while (!place.isEnded) {
    if (hub.tail && place.at >= Math.max(hub.head, hub.tail.position)) {
      if (!place.isCostly) break
      place.isWaiting = true
      await new Promise((next) => setTimeout(next, COSTLY_POLL))
      place.isWaiting = false
      continue
    }
    const page = await hub.slots(place.subscription.caller.userId)(() => hub.reading(() => pageFor(hub, place)))
    if (!page) return places.end(place)
    if (!(await stillSame(hub, [place], page.caller, page.catalogue)).has(place)) {
      if (++repeated > REPEATED) return places.end(place)
      continue
    }
    repeated = 0
    if (page.at === place.at) await new Promise((next) => setTimeout(next, SOON))
    place.at = page.at
    for (const piece of piecesOf(formed(page.changes, framing, page.caller))) {
      places.send(place, piece)
      await places.drain(place)
    }
  }
  place.isLive = true
}

function* formed(changes: readonly Change[], framing: Framing, caller: Caller): Iterable<string> {
  for (const change of changes) yield framing.form(change, caller)
}

/** What comes next for a listener that is not live; undefined: it has ended, or may not follow. */
async function pageFor(hub: Hub, place: Place) {
  const { store, narrowings } = hub
  if (place.isEnded) return undefined
  await store.catchUp?.()
  await recheck(hub, [place])
  const narrowing = place.isEnded ? undefined : await narrowings.of(place)
  if (!narrowing) return undefined
  const [{ caller }, catalogue] = [place, store.catalogue()]
  const passBy = ({ id }: Change) => {
    if (!place.hasLeftOut) hub.report(new Error(`A filter of user ${caller.userId} takes too long for the texts of change ${id}.`))
    place.hasLeftOut = true
  }
  // What was passed to others can be read by now, but for what a lower horizon keeps back this time.
  const reached = Math.max(hub.head, hub.tail?.position ?? 0)
  const following = {
    after: place.at,
    limit: limits.page.most,
    filter: undefined,
    tables: place.subscription.tables,
    narrowing,
    bytes: PAGE,
    passBy,
  }
  const { changes, cursor, more, horizon } = await followChanges(store, asOfNow(caller), following)
  return { changes, at: more ? cursor : Math.max(cursor, Math.min(reached, horizon - 1)), caller, catalogue }
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
  for (const place of places.all())
    if ((place.isLive || place.isWaiting) && place.queue.length === 0) places.send(place, bytesOf(framing.position(place.at)))
}

async function lookAtRights(hub: Hub): Promise<void> {
  const now = hub.store.catalogue()
  if (now === hub.catalogue) return
  hub.catalogue = now
  hub.narrowings.forget()
  await recheck(hub, hub.places.all())
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
        if (error instanceof Costly) return group.forEach((place) => byItself(hub, place))
        // They come back with the last id that they have.
        group.forEach(places.end)
        report(error)
      })
      await othersTurn()
    }
  }
  for (const place of live) if (place.isLive) place.at = Math.max(place.at, to)
}

/** The filters of a group cost so much that others would wait for it. */
class Costly extends Error {}

/** From now on it reads the log by itself. */
function byItself(hub: Hub, place: Place): void {
  place.isLive = false
  place.isCostly = true
  catchUp(hub, place).catch((error: unknown) => {
    hub.places.end(place)
    hub.report(error)
  })
}

/** Passes a batch on to listeners that are shown the same. @throws Costly */
async function passTo(hub: Hub, group: readonly Place[], batch: LogBatch, isAgain = false): Promise<void> {
  const { store, places, narrowings } = hub
  const { caller, subscription } = group[0]!
  let rest = subscription.tables ? batch.rows.filter(({ tableId }) => subscription.tables!.has(tableId)) : batch.rows
  let left = group
  let spent = 0
  const spend = (units: number) => {
    spent += units
    if (spent > SPENT_LIVE) throw new Costly()
  }
  const passBy = () => {
    throw new Costly()
  }
  while (rest.length > 0) {
    const before = store.catalogue()
    const narrowing = await narrowings.of(group[0]!)
    if (!narrowing) return left.forEach(places.end)
    const seen = await seenBy(store, asOfNow(caller), { ...batch, rows: rest }, narrowing, { spend, passBy })
    const same = await stillSame(hub, left, caller, before)
    const others = left.filter((place) => !same.has(place))
    left = [...same]
    const shown = seen.filter((change) => change !== undefined)
    if (left.length > 0) await sendTo(hub, left, shown)
    for (const place of left) place.at = Math.max(place.at, rest[seen.length - 1]!.id)
    if (others.length > 0) await passAgain(hub, others, { ...batch, rows: rest }, isAgain)
    if (left.length === 0) return
    rest = rest.slice(seen.length)
  }
}

/** The rights of these may have changed while it was read: each again, by its own, once. */
async function passAgain(hub: Hub, some: readonly Place[], batch: LogBatch, isAgain: boolean): Promise<void> {
  const { store, places, narrowings } = hub
  if (isAgain) return some.forEach(places.end)
  narrowings.forget()
  await recheck(hub, some)
  const left = some.filter(({ isEnded }) => !isEnded)
  for (const again of groupsOf(store, left)) await passTo(hub, again, batch, true)
}

async function sendTo({ places, framing }: Hub, group: readonly Place[], changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return
  const texts = [...formed(changes, framing, group[0]!.caller)]
  // Who has come to be live in the middle of the batch has the changes before.
  const ahead = new Set(group.filter(({ at }) => at >= changes[0]!.id))
  for (const place of ahead) for (const piece of piecesOf(texts.filter((_, i) => changes[i]!.id > place.at))) places.send(place, piece)
  for (const [i, piece] of [...piecesOf(texts)].entries()) {
    // Connections that are read take what they were passed before.
    if (i > 0) await othersTurn()
    for (const place of group) if (!ahead.has(place)) places.send(place, piece)
  }
}
