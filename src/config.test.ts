import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { bucketOf, readConfig, shownSettings } from './config.ts'

it('takes flags before variables, and variables before defaults', () => {
  assert.equal(readConfig({}, {}).port, 3000)
  assert.equal(readConfig({}, { PORT: '4000' }).port, 4000)
  assert.equal(readConfig({ port: '5000' }, { PORT: '4000' }).port, 5000)
  assert.equal(readConfig({}, { KARTOTEKA_DATA: '/srv/k' }).data, '/srv/k')
})

it('keeps changes for a year and deliveries for a month, and sends webhooks to public https only, unless it is told otherwise', () => {
  const { changeDays, deliveryDays, webhookHttp, webhookNetworks } = readConfig({}, {})
  assert.deepEqual(
    { changeDays, deliveryDays, webhookHttp, webhookNetworks },
    { changeDays: 365, deliveryDays: 30, webhookHttp: 'no', webhookNetworks: [] },
  )
})

it('is not stopped by the variables of programs that use the interface, which stand in the same terminal', () => {
  assert.equal(readConfig({}, { KARTOTEKA_URL: 'https://crm.example.com', KARTOTEKA_TOKEN: 'one' }).publicUrl, '')
})

const refused: readonly (readonly [variables: Record<string, string>, code: string, says: RegExp])[] = [
  [{ KARTOTEKA_PROT: '1' }, 'config.unknown', /^There is no setting KARTOTEKA_PROT\. Did you mean PORT\?$/],
  [{ KARTOTEKA_TRASHDAY: '1' }, 'config.unknown', /KARTOTEKA_TRASHDAY\. Did you mean KARTOTEKA_TRASH_DAYS\?$/],
  [{ KARTOTEKA_JOBDAYS: '1' }, 'config.unknown', /Did you mean KARTOTEKA_JOB_DAYS\?$/],
  [{ KARTOTEKA_COLOUR: 'red' }, 'config.unknown', /KARTOTEKA_COLOUR\. Known: KARTOTEKA_AUDIT_DAYS, .+ PORT\.$/],
  [{ [`KARTOTEKA_${'A'.repeat(100_000)}`]: '' }, 'config.unknown', /Known: /],
  [{ PORT: 'http' }, 'config.invalid', /PORT is 'http'; it must be a whole number from 0 to 65535/],
  [{ PORT: '70000' }, 'config.invalid', /PORT/],
  [{ KARTOTEKA_TIME_ZONE: 'Mars/Olympus' }, 'config.invalid', /time zone/],
  [{ KARTOTEKA_PUBLIC_URL: 'crm.example.com' }, 'config.invalid', /http/],
  [{ KARTOTEKA_CORS_ORIGINS: 'https://a.example,b.example' }, 'config.invalid', /origins/],
  [{ KARTOTEKA_TRUSTED_PROXIES: '10.0.0.0/8,proxy' }, 'config.invalid', /networks/],
  ...[
    '1',
    'abc',
    '::::',
    '10.0.0.256',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '0.0.0.0/0',
    '1.2.3.4.5',
    '10.0.0.1/8/8',
    'fe80::1%eth0',
  ].map((proxy) => [{ KARTOTEKA_TRUSTED_PROXIES: proxy }, 'config.invalid', /networks/] as const),
  [{ KARTOTEKA_WEBHOOK_HTTP: 'true' }, 'config.invalid', /one of no, yes/],
  [{ KARTOTEKA_WEBHOOK_NETWORKS: '10.0.0.0/8 192.168.0.0/16' }, 'config.invalid', /networks/],
  [{ KARTOTEKA_WEBHOOK_NETWORKS: 'hooks.example.com' }, 'config.invalid', /networks/],
  [{ KARTOTEKA_REPLICA_URLS: 'mysql://k:se@c/ret@two/k' }, 'config.invalid', /'mysql:\/\/k:…@two\/k'; it must be addresses/],
  [{ KARTOTEKA_REPLICA_URLS: 'postgres://k@two/k' }, 'config.replicas_alone', /KARTOTEKA_DATABASE_URL/],
  [{ KARTOTEKA_LOG_LEVEL: 'loud' }, 'config.invalid', /silent/],
  [{ KARTOTEKA_S3_BUCKET: 'Papers/' }, 'config.invalid', /the name of a bucket/],
  [{ KARTOTEKA_S3_ENDPOINT: 'minio:9000' }, 'config.invalid', /http/],
  [{ KARTOTEKA_S3_PREFIX: '../other' }, 'config.invalid', /crm\/files/],
  [{ KARTOTEKA_S3_PREFIX: 'a/./b' }, 'config.invalid', /crm\/files/],
  [{ KARTOTEKA_S3_ADDRESSING: 'virtual' }, 'config.invalid', /path, host/],
  [{ KARTOTEKA_S3_SECRET_KEY: 'se cret' }, 'config.invalid', /'…'; it must be/],
  [{ KARTOTEKA_S3_ENDPOINT: 'http://minio:9000' }, 'config.bucket', /KARTOTEKA_S3_BUCKET is missing/],
  [{ KARTOTEKA_S3_BUCKET: 'papers' }, 'config.bucket', /KARTOTEKA_S3_ACCESS_KEY/],
  [{ KARTOTEKA_S3_BUCKET: 'papers', KARTOTEKA_S3_ACCESS_KEY: 'k' }, 'config.bucket', /KARTOTEKA_S3_SECRET_KEY_FILE/],
  [
    { KARTOTEKA_S3_BUCKET: 'papers', KARTOTEKA_S3_ACCESS_KEY: 'k', KARTOTEKA_S3_SECRET_KEY: 's', KARTOTEKA_S3_SECRET_KEY_FILE: '/f' },
    'config.bucket',
    /one of the two/,
  ],
]
for (const [variables, code, says] of refused)
  it(`refuses ${Object.entries(variables).join()} with a sentence`, () => {
    assert.throws(
      () => readConfig({}, variables),
      (error: Error & { code?: string }) => error.code === code && says.test(error.message),
    )
  })

it('knows a bucket by its name and keys, with the service of Amazon where no other is named', () => {
  const given = { KARTOTEKA_S3_BUCKET: 'papers', KARTOTEKA_S3_ACCESS_KEY: 'k', KARTOTEKA_S3_SECRET_KEY: 'a/b+c=' }
  const known = { name: 'papers', accessKey: 'k', secretKey: 'a/b+c=', region: 'us-east-1', prefix: '', addressing: 'path' }
  assert.equal(bucketOf(readConfig({}, {})), undefined)
  assert.deepEqual(bucketOf(readConfig({}, given)), { ...known, endpoint: 'https://s3.us-east-1.amazonaws.com' })
  const more = { KARTOTEKA_S3_ENDPOINT: 'http://minio:9000/', KARTOTEKA_S3_PREFIX: 'crm/files', KARTOTEKA_S3_ADDRESSING: 'host' }
  assert.deepEqual(bucketOf(readConfig({}, { ...given, ...more })), {
    ...known,
    endpoint: 'http://minio:9000',
    prefix: 'crm/files/',
    addressing: 'host',
  })
})

it('reads the key of a bucket from a file, and says what is wrong with that, but not the key', () => {
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-key-'))
  const file = join(directory, 'key')
  const config = readConfig({}, { KARTOTEKA_S3_BUCKET: 'papers', KARTOTEKA_S3_ACCESS_KEY: 'k', KARTOTEKA_S3_SECRET_KEY_FILE: file })
  try {
    assert.throws(() => bucketOf(config), { code: 'config.bucket', message: /cannot be read \(ENOENT\)/ })
    writeFileSync(file, 'one\ntwo\n')
    assert.throws(
      () => bucketOf(config),
      (error: Error) => /has no key/.test(error.message) && !/one|two/.test(error.message.replace('one line', '')),
    )
    writeFileSync(file, 'a/b+c=\n')
    assert.equal(bucketOf(config)!.secretKey, 'a/b+c=')
  } finally {
    rmSync(directory, { recursive: true })
  }
})

it('takes addresses and networks of both kinds for proxies', () => {
  const { trustedProxies } = readConfig({}, { KARTOTEKA_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.1,::1,fd00::/8, ::ffff:10.0.0.1' })
  assert.deepEqual(trustedProxies, ['10.0.0.0/8', '192.0.2.1', '::1', 'fd00::/8', '::ffff:10.0.0.1'])
})

it('names the flag where the flag was wrong', () => {
  assert.throws(() => readConfig({ port: 'x' }, {}), { code: 'config.invalid', message: /^--port is 'x'/ })
})

it('the token for metrics is no part of a message', () => {
  for (const odd of ['short', 'with blanks in a secret', 'x'.repeat(201)])
    assert.throws(
      () => readConfig({}, { KARTOTEKA_METRICS_TOKEN: odd }),
      (error: Error) => error.message.includes('KARTOTEKA_METRICS_TOKEN') && !error.message.includes(odd),
    )
  assert.equal(readConfig({}, { KARTOTEKA_METRICS_TOKEN: 'sixteen-letters_' }).metricsToken, 'sixteen-letters_')
})

it('administrators are told where each setting comes from, and nothing that is secret', () => {
  const told = shownSettings(
    { trashDays: '7', databaseUrl: 'postgres://anna:Geheim1@db.example.com:5432/crm?password=Geheim2' },
    {
      PORT: '4000',
      KARTOTEKA_METRICS_TOKEN: 'Geheim-3-token-of-16',
      KARTOTEKA_S3_ACCESS_KEY: 'Geheim4',
      KARTOTEKA_S3_SECRET_KEY: 'Geheim5',
      KARTOTEKA_S3_ENDPOINT: 'https://anna:Geheim6@s3.example.com',
      KARTOTEKA_REPLICA_URLS: 'postgres://anna:Geheim7@one/crm, postgres://anna:Gehe,im8@two/crm',
    },
  )
  const of = (name: string) => {
    const { value, source } = told.find((one) => one.name === name)!
    return [value, source]
  }
  assert.deepEqual(of('trash-days'), ['7', 'flag'])
  assert.deepEqual(of('port'), ['4000', 'environment'])
  assert.deepEqual(of('audit-days'), ['365', 'default'])
  assert.deepEqual(of('database-url'), ['postgres://db.example.com:5432/crm', 'flag'])
  assert.deepEqual(of('metrics-token'), ['…', 'environment'])
  assert.deepEqual(of('s3-endpoint'), ['https://…@s3.example.com', 'environment'])
  assert.doesNotMatch(JSON.stringify(told), /Geheim|Gehe|im8/)
})
