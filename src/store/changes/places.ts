import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Caller } from '../model/access.ts'
import { atMost, type AtMost } from '../scheduling/at-most.ts'

/* Who listens, and what waits to be sent to each of them: bounded for each and in all. */

/** What somebody has asked to be sent. */
export interface Subscription {
  readonly caller: Caller
  /** undefined: all that they may read. */
  readonly tables: ReadonlySet<number> | undefined
  /** A saved filter: of its table, the records that meet it. 0: none. */
  readonly filterId: number
  /** All after this position; undefined: from now on. */
  readonly after: number | undefined
}

/** A listener. */
export interface Place {
  readonly subscription: Subscription
  /** With the present rights. */
  caller: Caller
  /** All up to here was passed on. */
  at: number
  /** Whether it has come to where the log is read for all. */
  isLive: boolean
  /** Whether its filter costs too much to be live: then it reads the log by itself. */
  isCostly: boolean
  /** Whether a change was left out of it because its texts took a filter too long. */
  hasLeftOut: boolean
  /** Whether it has come to the end of the log by itself. */
  isWaiting: boolean
  isEnded: boolean
  readonly queue: Uint8Array[]
  bytes: number
  /** Called when there is something to send, or it has ended. */
  wake: (() => void) | undefined
  /** Called when little is left to send, or it has ended. */
  drained: (() => void) | undefined
}

export interface Places {
  /** The error code of what is full; undefined: there is room for another stream of this caller. */
  full(caller: Caller): 'server.busy' | 'events.too_many' | undefined
  add(subscription: Subscription): Place
  all(): Place[]
  /** How many there are, and the bytes that wait for them. */
  load(): { readonly streams: number; readonly unread: number }
  /** The next bytes to send; undefined: it has ended. */
  next(place: Place): Promise<Uint8Array | undefined>
  /** Passes bytes on. The stream of a client that does not read ends; it comes back with the last id that it has. */
  send(place: Place, piece: Uint8Array): void
  /** Resolves when little is left to send. A stream ends whose client has not read it after `patience`. */
  drain(place: Place): Promise<void>
  end(place: Place): void
}

/** Bytes that are passed to a connection at a time. */
const PIECE = 65_536

const placeOf = (subscription: Subscription): Place => ({
  subscription,
  caller: subscription.caller,
  at: subscription.after ?? -1,
  isLive: false,
  isCostly: false,
  hasLeftOut: false,
  isWaiting: false,
  isEnded: false,
  queue: [],
  bytes: 0,
  wake: undefined,
  drained: undefined,
})

/** `onEmpty`: called when the last one has ended. `patience`: milliseconds. */
export function makePlaces(onEmpty: () => void, patience: number = limits.stall.most): Places {
  const places = new Set<Place>()
  const ofToken = new Map<number, number>()
  const ofUser = new Map<number, number>()
  let unread = 0

  function end(place: Place): void {
    if (!places.delete(place)) return
    place.isEnded = true
    unread -= place.bytes
    place.bytes = 0
    place.queue.length = 0
    place.wake?.()
    place.drained?.()
    count(ofToken, place.subscription.caller.tokenId, -1)
    count(ofUser, place.subscription.caller.userId, -1)
    if (places.size === 0) onEmpty()
  }

  return {
    full: ({ tokenId, userId }) =>
      places.size >= limits.eventStreams.most ? 'server.busy' : fullBy(ofToken.get(tokenId), ofUser.get(userId)),
    add(subscription) {
      const place = placeOf(subscription)
      places.add(place)
      count(ofToken, subscription.caller.tokenId, 1)
      count(ofUser, subscription.caller.userId, 1)
      return place
    },
    all: () => [...places],
    load: () => ({ streams: places.size, unread }),
    async next(place) {
      while (!place.isEnded && place.queue.length === 0) await new Promise<void>((resolve) => (place.wake = resolve))
      const piece = place.queue.shift()
      if (!piece) return undefined
      place.bytes -= piece.length
      unread -= piece.length
      if (place.bytes <= PIECE) place.drained?.()
      return piece
    },
    send(place, piece) {
      const { length } = piece
      if (place.isEnded) return
      const isBehind = place.queue.length > 0
      const isSlow = place.bytes + length > limits.eventsUnread.most || unread + length > limits.eventsUnreadOfAll.most
      if (isBehind && isSlow) return end(place)
      place.queue.push(piece)
      place.bytes += length
      unread += length
      place.wake?.()
      place.wake = undefined
    },
    drain: (place) => drained(place, () => end(place), patience),
    end,
  }
}

const drained = (place: Place, end: () => void, patience: number): Promise<void> =>
  new Promise((resolve) => {
    if (place.isEnded || place.bytes <= PIECE) return resolve()
    const timer = setTimeout(end, patience)
    place.drained = () => {
      clearTimeout(timer)
      resolve()
    }
  })

const fullBy = (ofToken = 0, ofUser = 0): 'events.too_many' | undefined =>
  ofToken >= limits.eventStreamsOfToken.most || ofUser >= limits.eventStreamsOfUser.most ? 'events.too_many' : undefined

function count(counts: Map<number, number>, id: number, more: number): void {
  const now = (counts.get(id) ?? 0) + more
  if (now > 0) counts.set(id, now)
  else counts.delete(id)
}

/** @throws `server.busy`, `events.too_many` */
export function mustHaveRoom(places: Places, caller: Caller): void {
  const full = places.full(caller)
  if (full) throw fail(full)
}

/** Texts one after the other, in pieces of a bounded size; a longer text is a piece by itself. */
export function* piecesOf(texts: Iterable<string>): Iterable<Uint8Array> {
  let piece: string[] = []
  let length = 0
  for (const text of texts) {
    if (length > 0 && length + text.length > PIECE) {
      yield bytesOf(piece.join(''))
      piece = []
      length = 0
    }
    piece.push(text)
    length += text.length
  }
  if (length > 0) yield bytesOf(piece.join(''))
}

/** Bytes are shared by all connections that they are sent on; a text would be encoded for each. */
export const bytesOf = (text: string): Uint8Array => Buffer.from(text)

/** Pages that are read at once for the streams of one user that are not live. */
const READING_OF_USER = 2

/** The turns of a user. */
export function slotsOfUsers(): (userId: number) => AtMost {
  const known = new Map<number, AtMost>()
  return (userId) => {
    let found = known.get(userId)
    if (!found) known.set(userId, (found = atMost(READING_OF_USER, limits.eventStreams.most)))
    return found
  }
}
