import { isIP } from 'node:net'
import { limits } from '../limits.ts'
import { reachable } from './networks.ts'

/** What the operator allows. */
export interface AddressRules {
  /** Whether addresses may begin with http: as well. */
  readonly allowsHttp: boolean
  /** Whether webhooks may be sent to this IP address (networks.ts). */
  readonly isReachable: (address: string) => boolean
}

/** The rules that follow from settings. */
export const rulesOf = (settings: { readonly webhookHttp: string; readonly webhookNetworks: readonly string[] }): AddressRules => ({
  allowsHttp: settings.webhookHttp === 'yes',
  isReachable: reachable(settings.webhookNetworks),
})

/** Lower ports belong to other protocols, but for those of HTTP. */
const FIRST_FREE_PORT = 1024
/** Higher ports of other protocols, which browsers send nothing to either (Fetch Standard, port blocking). */
const OTHER_PROTOCOLS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/**
 * The address of a webhook, or in a sentence why it cannot be one. Names are not resolved. Odd spellings of an IP address (decimal,
 * octal, short, with other digits) are read as the URL Standard does, so what is checked is what is connected to.
 */
export function readAddress(text: string, rules: AddressRules): { readonly url: URL } | { readonly why: string } {
  if (text.length > limits.url.most) return { why: `The address has more than ${limits.url.most} characters.` }
  // The URL Standard leaves out some of these, and reads a backslash as a slash.
  if (/[\s\p{C}\\]/u.test(text)) return { why: 'The address has a space, a backslash or an invisible character.' }
  const [, scheme = '', authority] = /^([a-z]+):\/\/([^/?#]+)/i.exec(text) ?? []
  const url = URL.parse(text)
  if (authority === undefined || url === null) return { why: 'This is not a web address.' }
  if (scheme.toLowerCase() !== 'https' && !(rules.allowsHttp && scheme.toLowerCase() === 'http'))
    return { why: rules.allowsHttp ? 'The address must begin with https:// or http://.' : 'The address must begin with https://.' }
  if (authority.includes('@')) return { why: 'The address has a user name or password.' }
  if (text.includes('#')) return { why: 'The address has a fragment (#), which is never sent.' }
  const host = hostOf(url)
  if (host.split('.').includes('')) return { why: 'A part of the host name is empty.' }
  if (isIP(host) !== 0 && !rules.isReachable(host)) return { why: 'The address is in a network that webhooks may not be sent to.' }
  return mayUsePort(url) ? { url } : { why: `Webhooks may not be sent to port ${url.port}.` }
}

/** The name or IP address of a URL's host, without the brackets of IPv6. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

function mayUsePort({ port }: URL): boolean {
  const number = Number(port)
  return ['', '80', '443'].includes(port) || (number >= FIRST_FREE_PORT && !OTHER_PROTOCOLS.has(number))
}
