import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isGenuine } from '../../test/support/verify-webhook.ts'
import { randomOf } from '../../test/support/random.ts'
import { seed } from '../../test/support/seed.ts'
import { makeSecret, signatureHeaders } from './sign.ts'

// The values of the tests of the libraries that the specification offers: libraries/javascript/src/webhook.test.ts, "sign function works",
// in https://github.com/standard-webhooks/standard-webhooks, commit 10d3e46d. openssl dgst -mac HMAC says the same.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const known = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: 1_614_265_330_000, body: '{"test": 2432232314}' }
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

describe('the signature of a webhook', () => {
  it('is that of Standard Webhooks', () => {
    assert.deepEqual(signatureHeaders(known, [secret]), {
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': signature,
    })
  })

  it('is made of the bytes of the body as UTF-8', () => {
    // From openssl dgst -mac HMAC.
    const body = '{"data":{"type":"change","id":"123","attributes":{"title":"Größe № 5 — 日本"}}}'
    const headers = signatureHeaders({ id: 'change-7-123', at: 1_795_260_000_999, body }, [secret])
    assert.equal(headers['webhook-timestamp'], '1795260000')
    assert.equal(headers['webhook-signature'], 'v1,lLUZojNmezIohT8+tjCFeQRJXBT6gwp/Wol7Y/i5tgU=')
  })

  it('is made with each secret, while a receiver changes from one to another', () => {
    const other = makeSecret((count) => Buffer.alloc(count, 7))
    const headers = signatureHeaders(known, [other, secret])
    assert.match(headers['webhook-signature']!, /^v1,[A-Za-z0-9+/]{43}= v1,g0hM9SsE/)
    for (const one of [other, secret]) assert.ok(isGenuine(one, headers, known.body, known.at))
  })

  it('refuses an id with a full stop, and a secret of another form', () => {
    assert.throws(() => signatureHeaders({ ...known, id: 'a.1614265330.b' }, [secret]), /full stop/)
    assert.throws(() => signatureHeaders(known, ['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']), /whsec_/)
  })
})

it('a secret is whsec_ and 32 random bytes in base64', () => {
  const random = randomOf(seed)
  const secrets = Array.from({ length: 50 }, () => makeSecret((count) => random.bytes(count)))
  for (const one of secrets) assert.match(one, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(new Set(secrets).size, secrets.length)
  const zero = makeSecret((count) => new Uint8Array(count))
  assert.equal(zero, `whsec_${Buffer.alloc(32).toString('base64')}`)
})

it('receivers of the tests refuse what is changed, old, or signed otherwise', () => {
  const headers = signatureHeaders(known, [secret])
  assert.ok(isGenuine(secret, headers, known.body, known.at))
  for (const seconds of [300, -300]) assert.ok(isGenuine(secret, headers, known.body, known.at + seconds * 1_000))
  for (const seconds of [301, -301, 86_400]) assert.ok(!isGenuine(secret, headers, known.body, known.at + seconds * 1_000))
  assert.ok(!isGenuine(secret, headers, `${known.body} `, known.at))
  assert.ok(
    !isGenuine(
      makeSecret((count) => Buffer.alloc(count, 7)),
      headers,
      known.body,
      known.at,
    ),
  )
  for (const [name, value] of [
    ['webhook-id', 'msg_other'],
    ['webhook-id', undefined],
    ['webhook-timestamp', '1614265331'],
    ['webhook-timestamp', '1614265330.0'],
    ['webhook-timestamp', 'hello'],
    ['webhook-timestamp', undefined],
    ['webhook-signature', ''],
    ['webhook-signature', 'v1,'],
    ['webhook-signature', signature.replace('v1', 'v2')],
    ['webhook-signature', signature.slice(0, 20)],
    ['webhook-signature', signature.replace('g0h', 'h0h')],
    ['webhook-signature', undefined],
  ] as const)
    assert.ok(!isGenuine(secret, { ...headers, [name]: value }, known.body, known.at), `${name}: ${value}`)
  assert.ok(isGenuine(secret, { ...headers, 'webhook-signature': `v2,AAAA v1,AAAA ${signature}` }, known.body, known.at))
})
