import { openEvents, type EventStream } from '../support/event-stream.ts'
import type { Positions } from './positions.ts'
import { CANARY, must, userId, type World } from './worlds.ts'

/* Who listens to live events in two worlds: both must be sent the same, which is what pages with a cursor show. */

const callers = ['anna', 'lena', 'mona', 'narrowReader'] as const
/** Stands in the last change of all. */
const END = 'the end'

export interface Listening {
  /** Ends with one more change. What is told differently, or told though it is hidden; undefined: nothing. */
  difference(positions: Positions): Promise<string | undefined>
  close(): void
}

export async function listen(worlds: readonly [World, World]): Promise<Listening> {
  const streams: EventStream[] = []
  const open = async ({ service: { url, get }, tokens }: World, caller: string) => {
    const token = tokens[caller]!
    const cursor: string = (await get('change?page[after]=now', token)).json.meta.cursor
    const stream = await openEvents({ url, token }, `?after=${cursor}`)
    streams.push(stream)
    return { stream, cursor, token }
  }
  const close = () => streams.forEach((stream) => stream.close())
  try {
    const listeners = await Promise.all(
      callers.map(async (caller) => ({ caller, sides: await Promise.all(worlds.map((one) => open(one, caller))) })),
    )
    return {
      close,
      async difference(positions) {
        await Promise.all(worlds.map(end))
        for (const { caller, sides } of listeners) {
          const texts = await Promise.all(
            sides.map(async (side, i) => ({ sent: await sentTo(side.stream), followed: await followedBy(worlds[i]!, side) })),
          )
          for (const { sent, followed } of texts) {
            if (sent.includes(CANARY)) return `an event tells ${caller} a hidden value: ${sent}`
            if (sent !== followed) return `events of ${caller}: ${sent}\n\npages with a cursor: ${followed}`
          }
          const [one, other] = positions.paired(texts[0]!.sent, texts[1]!.sent)
          if (one !== other) return `events of ${caller}: ${one}\n\n${other}`
        }
        return undefined
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

/** A record that all of them may read. */
async function end({ service: { change }, names: { seen, hidden } }: World): Promise<void> {
  await must(change('data1', '46', { user_id: userId('anna'), [hidden['flag']!]: false, [seen['text']!]: END }))
}

async function sentTo(stream: EventStream): Promise<string> {
  await stream.until(() => JSON.stringify(stream.events.at(-1)?.data ?? '').includes(END))
  return JSON.stringify(stream.events.map(({ data }) => data as unknown))
}

/** The same from pages: over PostgreSQL a transaction elsewhere may hold the last ones back for a while, though they were sent. */
async function followedBy({ service: { get } }: World, { cursor, token }: { cursor: string; token: string }): Promise<string> {
  const changes: unknown[] = []
  for (let at = cursor; ;) {
    const { data, meta } = (await get(`change?page[after]=${at}&page[limit]=50`, token)).json
    changes.push(...data)
    at = meta.cursor
    if (!meta.more) return JSON.stringify(changes)
  }
}
