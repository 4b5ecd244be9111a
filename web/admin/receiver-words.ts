import type { Delivery } from '../api/webhooks.ts'
import type { Message } from '../i18n/messages.ts'

/* Why a receiver is refused or was not reached, in words for people. */

/** By what the sentence of the service says; another sentence is shown as it is. */
const refusals: readonly (readonly [says: RegExp, message: Message])[] = [
  [/not a web address|host name is empty/, 'urlNone'],
  [/https:\/\/ or http:\/\//, 'urlHttp'],
  [/begin with https/, 'urlHttps'],
  [/user name or password/, 'urlUser'],
  [/fragment/, 'urlHash'],
  [/network that webhooks/, 'urlNetwork'],
  [/sent to port/, 'urlPort'],
  [/invisible character/, 'urlSpace'],
]

export const refusalOf = (detail: string): Message | undefined => refusals.find(([says]) => says.test(detail))?.[1]

export const faultWords: Readonly<Record<string, Message>> = {
  invalid_address: 'faultInvalid',
  no_address: 'faultNoAddress',
  connection_failed: 'faultConnection',
  tls_failed: 'faultTls',
  timed_out: 'faultTime',
  invalid_answer: 'faultAnswer',
  filter_too_slow: 'faultFilter',
}

/** Of pills. */
export const looks: Readonly<Record<Delivery['state'], 'good' | 'warn' | 'bad' | 'calm'>> = {
  delivered: 'good',
  waiting: 'warn',
  parked: 'bad',
  withheld: 'calm',
  expired: 'calm',
}

/** An address without what stands behind its host, which may hold a secret. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
