import assert from 'node:assert/strict'
import { it } from 'node:test'
import { explained, isLost } from './faults.ts'

const fault = (code: string, message: string) => Object.assign(new Error(message), { code })

it('a server of Citus that is lost is a connection that is lost, with and without a code; other faults of its are not', () => {
  for (const lost of [
    fault('08006', 'connection to the remote node kartoteka@10.0.0.2:5432 failed'),
    fault('XX000', 'failure on connection marked as essential: 10.0.0.2:5432'),
    fault('XX000', "failed to prepare transaction 'citus_0_1_2_3' on host 10.0.0.2:5432"),
    fault('XX000', 'postmaster was shut down, exiting'),
  ]) {
    assert.ok(isLost(lost), lost.message)
    assert.equal((explained(lost) as { code: string }).code, 'server.unavailable')
  }
  const other = fault('XX000', 'unexpected failure on connection marked as essential')
  assert.deepEqual([isLost(other), explained(other)], [false, other])
})
