import assert from 'node:assert/strict'
import { it } from 'node:test'
import { reachable } from './networks.ts'

/** A network that is not public, with its first and last address, and the public ones beside them where they are public. */
const special: readonly (readonly [of: string, ...addresses: string[]])[] = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  ['CGNAT', '100.64.0.0', '100.127.255.255', '100.100.100.200'],
  ['loopback', '127.0.0.0', '127.0.0.1', '127.255.255.255'],
  ['link-local', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['inside of Azure', '168.63.129.16'],
  ['protocol assignments', '192.0.0.0', '192.0.0.192', '192.0.0.255'],
  ['documentation', '192.0.2.0', '192.0.2.255', '198.51.100.7', '203.0.113.255'],
  ['relays of 6to4', '192.88.99.1'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['multicast', '224.0.0.1', '239.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.254'],
  ['broadcast', '255.255.255.255'],
  ['IPv6 unspecified', '::', '0:0:0:0:0:0:0:0'],
  ['IPv6 loopback', '::1', '0000:0000:0000:0000:0000:0000:0000:0001'],
  ['IPv4-compatible', '::127.0.0.1', '::8.8.8.8', '::7f00:1'],
  ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:10.1.2.3', '0:0:0:0:0:ffff:a9fe:a9fe', '::ffff:255.255.255.255'],
  ['IPv4-translated', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b::10.0.0.1', '64:ff9b::192.168.1.1'],
  ['local NAT64', '64:ff9b:1::8.8.8.8', '64:ff9b:1:ffff::1'],
  ['discard', '100::1'],
  ['Teredo', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:7f00:1::'],
  ['IPv6 benchmarks, ORCHID', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1ff:ffff::1'],
  ['IPv6 documentation', '2001:db8::1', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '3fff::1', '3fff:fff::1'],
  ['6to4', '2002:7f00:1::', '2002:a00:1::1', '2002:c0a8:101::', '2002:808:808::1'],
  ['segment routing', '5f00::1'],
  ['not assigned', '4000::1', '1::1', '8000::1', 'c000::1'],
  ['unique local', 'fc00::1', 'fd00:ec2::254', 'fdff:ffff::1'],
  ['IPv6 link-local', 'fe80::1', 'febf::1'],
  ['IPv6 site-local', 'fec0::1', 'feff::1'],
  ['IPv6 multicast', 'ff02::1', 'ff0e::1'],
]
const shared = reachable([])

for (const [of, ...addresses] of special)
  it(`an address is not reachable: ${of}`, () => {
    for (const address of addresses) assert.equal(shared(address), false, address)
  })

it('public addresses are reachable, those beside special networks too', () => {
  for (const address of [
    '1.0.0.0',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '168.63.129.15',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2000::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2001:db7:ffff::1',
    '2001:db9::1',
    '2003::1',
    '2606:4700:4700::1111',
    '3ffe:ffff::1',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '64:ff9b::8.8.8.8',
  ])
    assert.equal(shared(address), true, address)
})

it('what is no address is not reachable, nor what has a zone, whatever is listed', () => {
  for (const isReachable of [shared, reachable(['0.0.0.0/1', '128.0.0.0/1', '::/1', '8000::/1', 'fe80::/10'])])
    for (const text of [
      '',
      'localhost',
      '0x7f.1',
      '2130706433',
      '127.1',
      '8.8.8.8.',
      '8.8.8.08',
      '[::1]',
      'fe80::1%eth0',
      '::1%lo',
      '8.8.8.8%1',
    ])
      assert.equal(isReachable(text), false, text)
})

it('a listed network is reachable, and nothing beside it', () => {
  const isReachable = reachable(['10.1.0.0/16', '192.168.7.7', 'fd12::/16', '::1'])
  for (const address of ['10.1.0.0', '10.1.255.255', '192.168.7.7', 'fd12:ffff::1', '::1', '::ffff:10.1.2.3', '8.8.8.8'])
    assert.equal(isReachable(address), true, address)
  for (const address of ['10.0.255.255', '10.2.0.0', '192.168.7.8', 'fd13::', '::2', '127.0.0.1', '64:ff9b::10.1.2.3', '2002:a01:203::'])
    assert.equal(isReachable(address), false, address)
})
