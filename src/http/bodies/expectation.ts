import type { IncomingMessage, ServerResponse } from 'node:http'

/* Requests with `Expect: 100-continue`: their clients send the body when they are told to, which is after rights were checked. */

const waiting = new WeakMap<IncomingMessage, ServerResponse>()

export const awaitContinue = (request: IncomingMessage, response: ServerResponse): void => void waiting.set(request, response)

/** Tells the client to send the body, if it waits for that. */
export function goOn(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue()
  waiting.delete(request)
}

/** Whether the client still waits. It need not send the body after another answer, so the connection cannot be used any more. */
export const isWaiting = (request: IncomingMessage): boolean => waiting.has(request)
