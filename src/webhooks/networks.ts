import { BlockList, isIP } from 'node:net'

/** IPv4 networks that are not public: the special-purpose registry of IANA (RFC 6890), and one address of Azure. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network (RFC 791)
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // shared by customers of a provider, CGNAT (RFC 6598)
  '127.0.0.0/8', // loopback (RFC 1122)
  '168.63.129.16/32', // a public address with which Azure serves its virtual machines
  '169.254.0.0/16', // link-local (RFC 3927); data about virtual machines in most clouds
  '172.16.0.0/12', // private (RFC 1918)
  '192.0.0.0/24', // protocol assignments (RFC 6890)
  '192.0.2.0/24', // documentation (RFC 5737)
  '192.88.99.0/24', // relays of 6to4 (RFC 7526)
  '192.168.0.0/16', // private (RFC 1918)
  '198.18.0.0/15', // benchmarks (RFC 2544)
  '198.51.100.0/24', // documentation (RFC 5737)
  '203.0.113.0/24', // documentation (RFC 5737)
  '224.0.0.0/4', // multicast (RFC 5771)
  '240.0.0.0/4', // reserved (RFC 1112), with broadcast
]

/** Prefixes of IPv6 addresses that stand for the IPv4 address in their last 32 bits: mapped (RFC 4291), NAT64 (RFC 6052). */
const STANDS_FOR_IPV4 = ['::ffff:', '64:ff9b::']

/** IPv6 networks that are not public, besides those above. 6to4 and Teredo are out of use: what they embed does not matter. */
const SPECIAL_IPV6 = [
  // Everything but global unicast, 2000::/3 (RFC 4291): unspecified, loopback, IPv4-compatible, local NAT64 (RFC 8215), discard,
  '::/3',
  '4000::/2',
  // unique local fc00::/7, link-local fe80::/10, site-local fec0::/10, multicast ff00::/8.
  '8000::/1',
  '2001::/23', // protocol assignments (RFC 2928): Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation (RFC 3849)
  '2002::/16', // 6to4 (RFC 3056)
  '3fff::/20', // documentation (RFC 9637)
]

const specialIpv4 = listOf(SPECIAL_IPV4)
const standsForIpv4 = listOf(STANDS_FOR_IPV4.map((prefix) => `${prefix}0.0.0.0/96`))
const standsForSpecialIpv4 = listOf(STANDS_FOR_IPV4.flatMap((prefix) => SPECIAL_IPV4.map((network) => within(prefix, network))))
const specialIpv6 = listOf(SPECIAL_IPV6)

/**
 * Says of an IP address whether webhooks may be sent to it: if it is public, or in a network of `listed` (CIDR, or single
 * addresses). Anything that is not an IP address, or has a zone, is refused.
 */
export function reachable(listed: readonly string[]): (address: string) => boolean {
  const list = listOf(listed)
  return (address) => {
    // BlockList finds an address with a zone in no network.
    const version = address.includes('%') ? 0 : isIP(address)
    return version !== 0 && (list.check(address, familyOf(address)) || !isSpecial(address))
  }
}

function isSpecial(address: string): boolean {
  if (isIP(address) === 4) return specialIpv4.check(address, 'ipv4')
  return standsForIpv4.check(address, 'ipv6') ? standsForSpecialIpv4.check(address, 'ipv6') : specialIpv6.check(address, 'ipv6')
}

/** The IPv6 network whose addresses begin with the prefix and end with an address of the IPv4 network. */
function within(prefix: string, network: string): string {
  const [address, bits] = network.split('/')
  return `${prefix}${address}/${96 + Number(bits)}`
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
