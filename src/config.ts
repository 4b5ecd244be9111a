import { readFileSync } from 'node:fs'
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
/** A secret, which messages do not show. */
const secret: Read<string> = (text) =>
  text === '' || /^[\w-]{16,200}$/.test(text) ? text : new Refusal('16 to 200 letters, digits, - and _')
/** The secret key of a bucket, which messages do not show either. */
const secretKey: Read<string> = (text) => (/^[\x21-\x7e]{0,200}$/.test(text) ? text : new Refusal('at most 200 characters of ASCII'))
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
const matching =
  (pattern: RegExp, expected: string): Read<string> =>
  (text) =>
    pattern.test(text) ? text : new Refusal(expected)
/** A folder within a bucket: '' or with a slash at its end. */
const prefix: Read<string> = (text) => {
  const folder = text.replace(/\/+$/, '')
  if (folder === '') return ''
  return /^(?!\.{1,2}(?:\/|$))[\w.-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.-]+)*$/.test(folder) && folder.length <= 200
    ? `${folder}/`
    : new Refusal('words of letters, digits, ., - and _ with slashes between, such as crm/files')
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
  pages:            setting('--pages', 'KARTOTEKA_PAGES', 'yes', 'yes: the web pages are served, and built at the first start; no: the API alone', oneOf('no', 'yes')),
  officeName:       setting('--office-name', 'KARTOTEKA_OFFICE_NAME', '', 'name of the office, in place of Kartoteka in the web pages, at most 60 characters', (text) => (text.length <= 60 && !/\p{Cc}/u.test(text) ? text.trim() : new Refusal('at most 60 characters in one line'))),
  officeLogo:       setting('--office-logo', 'KARTOTEKA_OFFICE_LOGO', '', 'file with the picture of the office, in place of the mark in the web pages: SVG, PNG, JPEG or WebP, at most 256 KiB', (text) => text),
  publicUrl:        setting('--public-url', 'KARTOTEKA_PUBLIC_URL', '', 'base address of links in answers; empty: taken from the Host header', origin),
  trustedProxies:   setting('--trusted-proxies', 'KARTOTEKA_TRUSTED_PROXIES', '', 'addresses or networks of proxies whose X-Forwarded headers are trusted, separated by commas', list(isNetwork, 'IP addresses or networks with commas between')),
  corsOrigins:      setting('--cors-origins', 'KARTOTEKA_CORS_ORIGINS', '', 'origins whose web pages may call the API (CORS), separated by commas', list(isOrigin, 'origins such as https://www.example.com with commas between')),
  timeZone:         setting('--time-zone', 'KARTOTEKA_TIME_ZONE', 'UTC', 'time zone in which times are kept and shown (IANA name)', zone),
  phoneCountry:     setting('--phone-country', 'KARTOTEKA_PHONE_COUNTRY', '', 'country (ISO 3166, such as RU) by whose rules telephone numbers are compared in their international form; empty or none: by their digits', (text) => (/^(?:[A-Za-z]{2}|none)?$/.test(text) ? text.toUpperCase().replace('NONE', '') : new Refusal('the two letters of a country, such as RU, or none'))),
  webhookHttp:      setting('--webhook-http', 'KARTOTEKA_WEBHOOK_HTTP', 'no', 'yes: webhooks may be sent to http addresses too; no: to https only', oneOf('no', 'yes')),
  webhookNetworks:  setting('--webhook-networks', 'KARTOTEKA_WEBHOOK_NETWORKS', '', 'addresses or networks that webhooks may be sent to although they are not public, separated by commas', list(isNetwork, 'IP addresses or networks with commas between')),
  s3Bucket:         setting('--s3-bucket', 'KARTOTEKA_S3_BUCKET', '', 'S3-compatible bucket in which the files of file fields are; empty: they are in the data directory', matching(/^(?:[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])?$/, 'the name of a bucket')),
  s3Endpoint:       setting('--s3-endpoint', 'KARTOTEKA_S3_ENDPOINT', '', 'address of the service of the bucket; empty: Amazon S3 in the region', origin),
  s3Region:         setting('--s3-region', 'KARTOTEKA_S3_REGION', 'us-east-1', 'region of the bucket', matching(/^[a-zA-Z0-9-]{1,64}$/, 'the name of a region')),
  s3AccessKey:      setting('--s3-access-key', 'KARTOTEKA_S3_ACCESS_KEY', '', 'id of the access key of the bucket', matching(/^[\x21-\x2b\x2d-\x7e]{0,200}$/, 'an id without blanks and commas')),
  s3SecretKey:      setting('--s3-secret-key', 'KARTOTEKA_S3_SECRET_KEY', '', 'its secret key', secretKey),
  s3SecretKeyFile:  setting('--s3-secret-key-file', 'KARTOTEKA_S3_SECRET_KEY_FILE', '', 'file with the secret key, instead of the key itself', (text) => text),
  s3Prefix:         setting('--s3-prefix', 'KARTOTEKA_S3_PREFIX', '', 'beginning of the keys in the bucket, such as kartoteka/', prefix),
  s3Addressing:     setting('--s3-addressing', 'KARTOTEKA_S3_ADDRESSING', 'path', 'where the name of the bucket is in addresses: path or host', oneOf('path', 'host')),
  trashDays:        setting('--trash-days', 'KARTOTEKA_TRASH_DAYS', '30', 'days for which deleted records, fields and tables stay in the trash', whole(1, 36500)),
  changeDays:       setting('--change-days', 'KARTOTEKA_CHANGE_DAYS', '365', 'days for which the changes of records are kept', whole(1, 36500)),
  deliveryDays:     setting('--delivery-days', 'KARTOTEKA_DELIVERY_DAYS', '30', 'days for which deliveries of webhooks are kept', whole(1, 36500)),
  jobDays:          setting('--job-days', 'KARTOTEKA_JOB_DAYS', '30', 'days for which jobs that have ended are kept, with their files', whole(1, 36500)),
  auditDays:        setting('--audit-days', 'KARTOTEKA_AUDIT_DAYS', '365', 'days for which entries of the audit log are kept', whole(1, 36500)),
  tokenLifetime:    setting('--token-lifetime', 'KARTOTEKA_TOKEN_LIFETIME', '43200', 'default lifetime of a token, in seconds', whole(60, 3_153_600_000)),
  tokenLifetimeMax: setting('--token-lifetime-max', 'KARTOTEKA_TOKEN_LIFETIME_MAX', '2592000', 'longest lifetime of a token that a client can request, in seconds', whole(60, 3_153_600_000)),
  metricsToken:     setting('--metrics-token', 'KARTOTEKA_METRICS_TOKEN', '', 'token with which /metrics can be read, besides those of administrators; 16 to 200 letters, digits, - and _', secret),
  linkLifetimeMax:  setting('--link-lifetime-max', 'KARTOTEKA_LINK_LIFETIME_MAX', '86400', 'longest lifetime of a link to a file that a client can request, in seconds', whole(1, 604_800)),
  workers:          setting('--workers', 'KARTOTEKA_WORKERS', '0', 'threads that read long lists; 0: number of processor cores minus 1', whole(0, 64)),
  listMemory:       setting('--list-memory', 'KARTOTEKA_LIST_MEMORY', '0', 'memory for lists in MiB, of each process; not with Citus; 0: an eighth of the memory of the machine or container, at most 256', whole(0, 1_048_576)),
  queryTimeout:     setting('--query-timeout', 'KARTOTEKA_QUERY_TIMEOUT', '20000', 'time limit for reading a list, in milliseconds; slower lists get 503', whole(10, 3_600_000)),
  bodyLimit:        setting('--body-limit', 'KARTOTEKA_BODY_LIMIT', '67108864', 'largest body of a request with files, in bytes; without files: 2 MiB', whole(1_048_576, 1_073_741_824)),
  uploadLimit:      setting('--upload-limit', 'KARTOTEKA_UPLOAD_LIMIT', '1073741824', 'largest file that is uploaded by PUT, in bytes', whole(1_048_576, 5_368_709_120)),
  logLevel:         setting('--log-level', 'KARTOTEKA_LOG_LEVEL', 'info', 'lowest level that is logged: silent, error, warn, info or debug', oneOf('silent', 'error', 'warn', 'info', 'debug')),
} as const

type Settings = typeof settings
export type SettingName = keyof Settings
export type Config = { readonly [K in SettingName]: Settings[K] extends Setting<infer T> ? T : never }

/** Whether the database is the file in the data directory, which one process has to itself; `openStore` chooses the engine by the same. */
export const usesSqlite = ({ databaseUrl }: Pick<Config, 'databaseUrl'>): boolean => databaseUrl === ''

/** Where the programs of the documents and of the panel *API* find the address and the token: both may be in the terminal of an operator. */
const ofPrograms: ReadonlySet<string> = new Set(['KARTOTEKA_URL', 'KARTOTEKA_TOKEN'])

/**
 * The configuration of this process. A flag has precedence over a variable, a variable over the default.
 * @throws `config.unknown` for an unknown variable KARTOTEKA_…, `config.invalid` for a value that is not accepted, `config.replicas_alone`, `config.bucket`.
 */
export function readConfig(flags: Partial<Record<SettingName, string>>, environment: NodeJS.ProcessEnv = process.env): Config {
  const known = new Set<string>(Object.values(settings).map(({ variable }) => variable))
  const strange = Object.keys(environment).find(
    (name) => name.startsWith('KARTOTEKA_') && !name.startsWith('KARTOTEKA_TEST_') && !known.has(name) && !ofPrograms.has(name),
  )
  if (strange !== undefined) {
    const meant = nearest(strange, known)
    throw fail('config.unknown', {
      name: strange,
      ...(meant.length > 0 ? { meant: meant.join(' or ') } : { known: [...known].sort().join(', ') }),
    })
  }
  const read = Object.entries(settings).map(([name, { flag, variable, byDefault, read: readText }]) => {
    const flagged = flags[name as SettingName]
    const text = flagged ?? environment[variable] ?? byDefault
    const value = readText(text)
    if (value instanceof Refusal)
      throw fail('config.invalid', {
        name: flagged === undefined ? variable : flag,
        value: readText === secret || readText === secretKey ? '…' : withoutPassword(text),
        expected: value.expected,
      })
    return [name, value]
  })
  const config = Object.fromEntries(read) as Config
  if (config.replicaUrls.length > 0 && usesSqlite(config)) throw fail('config.replicas_alone')
  mustBeBucket(config)
  return config
}

/** Mistakes of typing between a name and what was meant. */
const MISTAKES = 2

/** The variables that differ from this name by the fewest mistakes; none where these are too many. */
function nearest(name: string, variables: Iterable<string>): readonly string[] {
  const bare = (one: string) => one.replace(/^KARTOTEKA_/, '')
  const far = [...variables].map((one) => ({ one, mistakes: mistakesBetween(bare(name), bare(one)) }))
  const least = Math.min(...far.map(({ mistakes }) => mistakes))
  return least > MISTAKES ? [] : far.flatMap(({ one, mistakes }) => (mistakes === least ? one : [])).sort()
}

/** Letters that are missing, too many or others, and neighbours in the other order. Infinity: the lengths differ by more than is looked for. */
function mistakesBetween(name: string, other: string): number {
  if (Math.abs(name.length - other.length) > MISTAKES) return Infinity
  let [before, last]: readonly [readonly number[], readonly number[]] = [[], Array.from({ length: other.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= name.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = name[i - 1] === other[j - 1]
      const isTurned = j > 1 && i > 1 && name[i - 1] === other[j - 2] && name[i - 2] === other[j - 1]
      const least = Math.min(last[j - 1]! + (isSame ? 0 : 1), last[j]! + 1, row[j - 1]! + 1)
      row.push(isTurned ? Math.min(least, before[j - 2]! + 1) : least)
    }
    ;[before, last] = [last, row]
  }
  return last[other.length]!
}

/** A setting as administrators are told it. */
export interface ShownSetting {
  readonly name: string
  readonly variable: string
  /** As text, without what is secret. */
  readonly value: string
  readonly byDefault: string
  readonly source: 'flag' | 'environment' | 'default'
  readonly says: string
}

/** All settings with where their values come from. Of a secret it is told only whether there is one. */
export const shownSettings = (
  flags: Partial<Record<SettingName, string>>,
  environment: NodeJS.ProcessEnv = process.env,
): readonly ShownSetting[] =>
  Object.entries(settings).map(([name, { flag, variable, byDefault, help }]) => {
    const flagged = flags[name as SettingName]
    const text = flagged ?? environment[variable] ?? byDefault
    const source = flagged !== undefined ? 'flag' : environment[variable] !== undefined ? 'environment' : 'default'
    return { name: flag.slice(2), variable, value: shownText(name as SettingName, text), byDefault, source, says: help }
  })

function shownText(name: SettingName, text: string): string {
  if (text === '') return ''
  if (name === 'metricsToken' || name === 's3AccessKey' || name === 's3SecretKey') return '…'
  // A name, password or key may stand in an address of a database, also in its parameters.
  if (name === 'databaseUrl' || name === 'replicaUrls') return text.split(',').map(placeOfDatabase).join(',')
  return text.replaceAll(/:\/\/[^/\s,]*@/g, '://…@')
}

function placeOfDatabase(text: string): string {
  const url = URL.parse(text.trim())
  return url ? `${url.protocol}//${url.host}${url.pathname}` : '…'
}

/** A half-told bucket: files would go to the directory, or nowhere. */
function mustBeBucket({ s3Bucket, s3Endpoint, s3AccessKey, s3SecretKey, s3SecretKeyFile }: Config): void {
  const isTold = s3Endpoint !== '' || s3AccessKey !== '' || s3SecretKey !== '' || s3SecretKeyFile !== ''
  if (s3Bucket === '' && isTold) throw fail('config.bucket', { why: 'KARTOTEKA_S3_BUCKET is missing beside other settings of a bucket.' })
  if (s3Bucket === '') return
  if (s3AccessKey === '') throw fail('config.bucket', { why: 'KARTOTEKA_S3_BUCKET needs KARTOTEKA_S3_ACCESS_KEY.' })
  if ((s3SecretKey === '') === (s3SecretKeyFile === ''))
    throw fail('config.bucket', {
      why: 'KARTOTEKA_S3_BUCKET needs KARTOTEKA_S3_SECRET_KEY or KARTOTEKA_S3_SECRET_KEY_FILE, one of the two.',
    })
}

/** The bucket with the files; undefined: they are in the data directory. @throws `config.bucket` where the file of the secret key cannot be used */
export function bucketOf(config: Config): Bucket | undefined {
  const { s3Bucket: name, s3Region: region, s3AccessKey: accessKey, s3Prefix, s3Addressing } = config
  if (name === '') return undefined
  return {
    name,
    region,
    accessKey,
    endpoint: config.s3Endpoint || `https://s3.${region}.amazonaws.com`,
    secretKey: config.s3SecretKey || keyIn(config.s3SecretKeyFile),
    prefix: s3Prefix,
    addressing: s3Addressing === 'host' ? 'host' : 'path',
  }
}

interface Bucket {
  readonly endpoint: string
  readonly name: string
  readonly region: string
  readonly accessKey: string
  readonly secretKey: string
  readonly prefix: string
  readonly addressing: 'path' | 'host'
}

function keyIn(file: string): string {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw fail('config.bucket', {
      why: `The file of KARTOTEKA_S3_SECRET_KEY_FILE, '${file}', cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    })
  }
  if (text === '' || secretKey(text) instanceof Refusal)
    throw fail('config.bucket', { why: `The file of KARTOTEKA_S3_SECRET_KEY_FILE, '${file}', has no key: one line of ASCII.` })
  return text
}
