import { isIP } from 'node:net'
import { fail } from './errors.ts'

/*
 * Every setting of the service: one row each, from which flags, variables, help and docs/settings.md are made. This is the
 * only file that reads the environment.
 */

/** Parses the text of a setting, or returns in a few words what it should be. */
type Read<T> = (text: string) => T | Refusal
class Refusal {
  readonly expected: string
  constructor(expected: string) {
    this.expected = expected
  }
}

interface Setting<T> {
  readonly flag: string
  readonly variable: string
  /** The default as text. */
  readonly byDefault: string
  readonly help: string
  readonly read: Read<T>
}

const setting = <T>(flag: string, variable: string, byDefault: string, help: string, read: Read<T>): Setting<T> => ({
  flag,
  variable,
  byDefault,
  help,
  read,
})

const whole =
  (least: number, most: number): Read<number> =>
  (text) =>
    /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most
      ? Number(text)
      : new Refusal(`a whole number from ${least} to ${most}`)
const words: Read<string> = (text) => (text === '' ? new Refusal('some text') : text)
const list =
  (fits: (part: string) => boolean, expected: string): Read<readonly string[]> =>
  (text) => {
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
    return parts.every(fits) ? parts : new Refusal(expected)
  }
const isNetwork = (text: string): boolean => {
  const [address = '', bits, more] = text.split('/')
  const most = address.includes('%') ? 0 : { 0: 0, 4: 32, 6: 128 }[isIP(address)]!
  return most > 0 && more === undefined && (bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most))
}
const isOrigin = (text: string): boolean => /^https?:\/\/[^\s/]+$/.test(text)
const origin: Read<string> = (text) => {
  if (text === '') return ''
  return /^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/.test(text)
    ? text.replace(/\/+$/, '')
    : new Refusal('an http or https address, such as https://crm.example.com')
}
/** An address without its password, for messages. */
export const withoutPassword = (text: string): string => text.replace(/(:\/\/[^:@/\s]*:).*@/s, '$1…@')
export const isPostgresUrl = (text: string): boolean => /^postgres(ql)?:\/\/\S+$/.test(text)
const postgresUrl: Read<string> = (text) =>
  text === '' || isPostgresUrl(text) ? text : new Refusal('an address such as postgres://user:password@host:5432/database')
const zone: Read<string> = (text) => {
  // For the default, the time zones of Intl are not loaded (7 MiB).
  if (text === 'UTC') return text
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone && text
  } catch {
    return new Refusal('the name of a time zone, such as Europe/Berlin')
  }
}
const oneOf =
  (...choices: readonly string[]): Read<string> =>
  (text) =>
    choices.includes(text) ? text : new Refusal(`one of ${choices.join(', ')}`)

// prettier-ignore
export const settings = {
  port:             setting('--port', 'PORT', '3000', 'TCP port to listen on; 0: any free port', whole(0, 65535)),
  host:             setting('--host', 'KARTOTEKA_HOST', '127.0.0.1', 'address to listen on; 0.0.0.0: all addresses of this machine', words),
  data:             setting('--data', 'KARTOTEKA_DATA', './data', 'data directory: database and files', words),
  databaseUrl:      setting('--database-url', 'KARTOTEKA_DATABASE_URL', '', 'address of a PostgreSQL, postgres://…; empty: SQLite in the data directory', postgresUrl),
  distribution:     setting('--distribution', 'KARTOTEKA_DISTRIBUTION', '', 'citus: distribute tables over the servers of a Citus cluster; empty: one PostgreSQL', (text) => (text === '' || text === 'citus' ? text : new Refusal('citus, or left out'))),
  replicaUrls:      setting('--replica-urls', 'KARTOTEKA_REPLICA_URLS', '', 'addresses of hot standbys that answer lists, separated by commas', list(isPostgresUrl, 'addresses such as postgres://user:password@host:5432/database with commas between')),
  publicUrl:        setting('--public-url', 'KARTOTEKA_PUBLIC_URL', '', 'base address of links in answers; empty: taken from the Host header', origin),
  trustedProxies:   setting('--trusted-proxies', 'KARTOTEKA_TRUSTED_PROXIES', '', 'addresses or networks of proxies whose X-Forwarded headers are trusted, separated by commas', list(isNetwork, 'IP addresses or networks with commas between')),
  corsOrigins:      setting('--cors-origins', 'KARTOTEKA_CORS_ORIGINS', '', 'origins whose web pages may call the API (CORS), separated by commas', list(isOrigin, 'origins such as https://www.example.com with commas between')),
  timeZone:         setting('--time-zone', 'KARTOTEKA_TIME_ZONE', 'UTC', 'time zone in which times are kept and shown (IANA name)', zone),
  webhookHttp:      setting('--webhook-http', 'KARTOTEKA_WEBHOOK_HTTP', 'no', 'yes: webhooks may be sent to http addresses too; no: to https only', oneOf('no', 'yes')),
  webhookNetworks:  setting('--webhook-networks', 'KARTOTEKA_WEBHOOK_NETWORKS', '', 'addresses or networks that webhooks may be sent to although they are not public, separated by commas', list(isNetwork, 'IP addresses or networks with commas between')),
  trashDays:        setting('--trash-days', 'KARTOTEKA_TRASH_DAYS', '30', 'days for which deleted records, fields and tables stay in the trash', whole(1, 36500)),
  changeDays:       setting('--change-days', 'KARTOTEKA_CHANGE_DAYS', '365', 'days for which the changes of records are kept', whole(1, 36500)),
  deliveryDays:     setting('--delivery-days', 'KARTOTEKA_DELIVERY_DAYS', '30', 'days for which deliveries of webhooks are kept', whole(1, 36500)),
  auditDays:        setting('--audit-days', 'KARTOTEKA_AUDIT_DAYS', '365', 'days for which entries of the audit log are kept', whole(1, 36500)),
  tokenLifetime:    setting('--token-lifetime', 'KARTOTEKA_TOKEN_LIFETIME', '43200', 'default lifetime of a token, in seconds', whole(60, 3_153_600_000)),
  tokenLifetimeMax: setting('--token-lifetime-max', 'KARTOTEKA_TOKEN_LIFETIME_MAX', '2592000', 'longest lifetime of a token that a client can request, in seconds', whole(60, 3_153_600_000)),
  workers:          setting('--workers', 'KARTOTEKA_WORKERS', '0', 'threads that read long lists; 0: number of processor cores minus 1', whole(0, 64)),
  queryTimeout:     setting('--query-timeout', 'KARTOTEKA_QUERY_TIMEOUT', '20000', 'time limit for reading a list, in milliseconds; slower lists get 503', whole(10, 3_600_000)),
  bodyLimit:        setting('--body-limit', 'KARTOTEKA_BODY_LIMIT', '67108864', 'largest body of a request with files, in bytes; without files: 2 MiB', whole(1_048_576, 1_073_741_824)),
  logLevel:         setting('--log-level', 'KARTOTEKA_LOG_LEVEL', 'info', 'lowest level that is logged: silent, error, warn, info or debug', oneOf('silent', 'error', 'warn', 'info', 'debug')),
} as const

type Settings = typeof settings
export type SettingName = keyof Settings
export type Config = { readonly [K in SettingName]: Settings[K] extends Setting<infer T> ? T : never }

/** Whether the database is the file in the data directory, which one process has to itself; `openStore` chooses the engine by the same. */
export const usesSqlite = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): boolean => databaseUrl === ''

/**
 * The configuration of this process. A flag has precedence over a variable, a variable over the default.
 * @throws `config.unknown` for an unknown variable KARTOTEKA_…, `config.invalid` for a value that is not accepted, `config.replicas_alone`.
 */
export function readConfig(flags: Partial<Record<SettingName, string>>, environment: NodeJS.ProcessEnv = process.env): Config {
  const known = new Set<string>(Object.values(settings).map(({ variable }) => variable))
  const strange = Object.keys(environment).find(
    (name) => name.startsWith('KARTOTEKA_') && !name.startsWith('KARTOTEKA_TEST_') && !known.has(name),
  )
  if (strange !== undefined) throw fail('config.unknown', { name: strange, known: [...known].sort().join(', ') })
  const read = Object.entries(settings).map(([name, { flag, variable, byDefault, read: readText }]) => {
    const flagged = flags[name as SettingName]
    const text = flagged ?? environment[variable] ?? byDefault
    const value = readText(text)
    if (value instanceof Refusal)
      throw fail('config.invalid', {
        name: flagged === undefined ? variable : flag,
        value: withoutPassword(text),
        expected: value.expected,
      })
    return [name, value]
  })
  const config = Object.fromEntries(read) as Config
  if (config.replicaUrls.length > 0 && usesSqlite(config)) throw fail('config.replicas_alone')
  return config
}
