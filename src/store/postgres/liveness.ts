import type { Duplex } from 'node:stream'
import type pg from 'pg'
import { isLost, isOutOfResources } from './faults.ts'

/*
 * Detects a server that hangs, or a connection whose other end is gone: it sends nothing and does not close the connection. If an answer
 * takes long, a new connection asks the server what it is doing. That distinguishes a slow statement from a dead server.
 */

/** Checks without data after which the server is asked; and the milliseconds between two checks. */
const CHECKS = 5
const INTERVAL = 1_000

/** Counts as a lost connection, see `isLost`. */
export class Unresponsive extends Error {
  readonly code = 'ETIMEDOUT'
  constructor() {
    super('The database says nothing.')
  }
}

/** The socket of a connection, which the driver does not publish. */
export const streamOf = (client: pg.Client): Duplex => (client as unknown as { connection: { stream: Duplex } }).connection.stream

/** For each address, functions that end a connection to it, unless data has arrived on it lately. */
const connectionsTo = new Map<string, Set<() => void>>()

/**
 * `isAtWork` asks by another connection whether the server runs the statement. If it rejects with a lost connection, all connections to
 * this address are ended, except those that have lately received data.
 */
export function endWhenUnresponsive(client: pg.Client, url: string, isAtWork: () => Promise<boolean>): { asks(): void; idle(): void } {
  /** Checks since data arrived; and checks since data arrived or a statement was sent. */
  let withoutData = 0
  let waiting = 0
  let isAsked = false
  let checking = false
  const all = connectionsTo.get(url) ?? new Set()
  connectionsTo.set(url, all.add(endUnlessAlive))
  const timer = setInterval(() => void check(), INTERVAL).unref()
  client.on('end', () => {
    clearInterval(timer)
    all.delete(endUnlessAlive)
  })
  streamOf(client).on('data', () => (withoutData = waiting = 0))

  function endUnlessAlive(): void {
    if (withoutData >= CHECKS) streamOf(client).destroy(new Unresponsive())
  }

  async function check(): Promise<void> {
    withoutData++
    if (checking || !isAsked || ++waiting < CHECKS) return
    checking = true
    try {
      if (await isAtWork()) waiting = 0
      else endUnlessAlive()
    } catch (error) {
      // A server that refuses a connection is alive.
      if (isOutOfResources(error) || !isLost(error)) waiting = 0
      else for (const end of all) end()
    }
    checking = false
  }
  return {
    asks() {
      if (!isAsked) waiting = 0
      isAsked = true
    },
    idle: () => (isAsked = false),
  }
}

/** @throws Unresponsive */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer
  const timeout = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Unresponsive()), milliseconds)))
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
