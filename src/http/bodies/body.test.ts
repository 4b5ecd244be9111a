import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { it } from 'node:test'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { countBytes } from './body.ts'

it('a file of a body that cannot be closed when its client has gone is reported', async () => {
  const fault = new Error('Input/output error')
  const told = Promise.withResolvers<unknown[]>()
  const raw = new EventEmitter()
  const body = { spool: { close: () => Promise.reject(fault) }, isTaken: false }
  const store = { onFault: (...reported: unknown[]) => told.resolve(reported) }
  const receiving = { bodies: { bytes: 0 }, settings: { bodyLimit: 0 }, store } as unknown as Parameters<typeof countBytes>[0]
  countBytes(receiving, { raw: {}, body } as unknown as FastifyRequest, { raw } as unknown as FastifyReply)
  raw.emit('close')
  assert.deepEqual(await told.promise, ['the file of a request body was not closed', fault])
})
