import { isIPv4, isIPv6 } from 'node:net'

/** Characters that are kept of an invalid address. */
const LONGEST_INVALID = 64
/** Prefixes of IPv6 addresses that hold an IPv4 address: mapped (RFC 4291), and that of NAT64 (RFC 6052). */
const HOLDS_IPV4 = /^(?:0:0:0:0:0:ffff|64:ff9b:0:0:0:0):([0-9a-f]+):([0-9a-f]+)$/

/**
 * One client: an IPv4 address, or the /64 network of an IPv6 address, since a provider gives each customer at least a /64.
 * IPv4 addresses written as IPv6 are IPv4 addresses.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%', 1)
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return address.slice(0, LONGEST_INVALID)
  const groups = groupsOf(plain)
  const [, high, low] = HOLDS_IPV4.exec(groups.join(':')) ?? []
  if (high === undefined || low === undefined) return `${groups.slice(0, 4).join(':')}::/64`
  return [high, low].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]).join('.')
}

/** The eight groups of an IPv6 address, in lower case without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = [], tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':').flatMap(hexadecimal)))
  const groups = tail ? [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail] : head
  return groups.map((group) => parseInt(group, 16).toString(16))
}

/** Replaces an IPv4 address at the end by two groups. */
function hexadecimal(group: string): string[] {
  if (!isIPv4(group)) return [group]
  const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number]
  return [(a * 256 + b).toString(16), (c * 256 + d).toString(16)]
}
