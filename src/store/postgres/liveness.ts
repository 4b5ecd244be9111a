import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { isLost, isRoomless } from './faults.ts'

/*
 * A server that stands still, or a way to it that leads nowhere any more, answers nothing and breaks nothing off. So where a
 * connection has waited for long, a new one asks what is the matter: statements that take long are told from silence.
 */

/** Looks after which one asks, and milliseconds between them. */
const LONG = 5
const LOOK = 1_000

/** As other faults of the way, see `isLost`. */
export class Silent extends Error {
  readonly code = 'ETIMEDOUT'
  constructor() {
    super('The database says nothing.')
  }
}

/** What the driver keeps to itself. */
export const streamOf = (client: pg.Client): Duplex => (client as unknown as { connection: { stream: Duplex } }).connection.stream

/** Connections to one address, by what ends them unless they were heard of lately. */
const companions = new Map<string, Set<() => void>>()

/**
 * `isAtWork`: whether the other end does what it was asked for, by another connection; rejects where there is none: then all
 * that lead there end.
 */
export function endWhenSilent(client: pg.Client, url: string, isAtWork: () => Promise<boolean>): { asks(): void; idle(): void } {
  /** Looks since it said anything, and since it said anything or was asked. */
  let silent = 0
  let late = 0
  let isAsked = false
  let looking = false
  const all = companions.get(url) ?? new Set()
  companions.set(url, all.add(endUnlessHeard))
  const timer = setInterval(() => void look(), LOOK).unref()
  client.on('end', () => {
    clearInterval(timer)
    all.delete(endUnlessHeard)
  })
  streamOf(client).on('data', () => (silent = late = 0))

  function endUnlessHeard(): void {
    if (silent >= LONG) streamOf(client).destroy(new Silent())
  }

  async function look(): Promise<void> {
    silent++
    if (looking || !isAsked || ++late < LONG) return
    looking = true
    try {
      if (await isAtWork()) late = 0
      else endUnlessHeard()
    } catch (error) {
      // Who refuses is there.
      if (isRoomless(error) || !isLost(error)) late = 0
      else for (const end of all) end()
    }
    looking = false
  }
  return {
    asks() {
      if (!isAsked) late = 0
      isAsked = true
    },
    idle: () => (isAsked = false),
  }
}

/** @throws Silent */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer
  const silence = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Silent()), milliseconds)))
  try {
    return await Promise.race([work, silence])
  } finally {
    clearTimeout(timer)
  }
}
