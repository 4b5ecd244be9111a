import assert from 'node:assert/strict'
import { it } from 'node:test'
import { networkOf } from './network.ts'

it('a client is an IPv4 address, however it is written, or the /64 of an IPv6 address', () => {
  for (const [address, network] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:0207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:c000:207', '192.0.2.7'],
    ['64:ff9b::c000:207', '192.0.2.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['', ''],
    ['unknown', 'unknown'],
    ['x'.repeat(1_000), 'x'.repeat(64)],
  ] as const)
    assert.equal(networkOf(address), network, address)
})
