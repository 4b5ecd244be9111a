import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { it } from 'node:test'
import { limits } from '../../limits.ts'
import { timeToArrive, uploads } from './uploads.ts'

it('uploads at once are bounded, in all and of each user', () => {
  const { begin } = uploads()
  const request = () => ({}) as IncomingMessage
  const ends = Array.from({ length: limits.uploads.most }, (_, n) => begin(request(), Math.floor(n / limits.uploadsOfUser.most)))
  assert.throws(() => begin(request(), 1_000), { code: 'server.busy' })
  ends[0]!()
  assert.throws(() => begin(request(), 1), { code: 'server.busy' })
  begin(request(), 0)
})

it('an upload has the time of a whole request for each part, other requests have it once', () => {
  const { most } = limits.uploadPart
  const times = [0, most - 1, most, 10 * most].map((bytes) => timeToArrive(limits.requestTime.most, true, bytes))
  assert.deepEqual(times, [300_000, 300_000, 600_000, 3_300_000])
  assert.equal(timeToArrive(limits.requestTime.most, false, 10 * most), 300_000)
})
