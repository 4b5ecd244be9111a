import { createHmac } from 'node:crypto'

/*
 * Signatures of Standard Webhooks 1.0.0 (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md),
 * with a shared secret: v1, HMAC-SHA256.
 */

const PREFIX = 'whsec_'
/** The specification asks for 24 to 64. */
const SECRET_BYTES = 32

/** What is signed: the document as it is sent, and what the receiver needs to refuse what is old or repeated. */
export interface Signed {
  /** The same in each attempt. Without full stops, which separate the parts of what is signed. */
  readonly id: string
  /** When the attempt begins: Unix milliseconds. */
  readonly at: number
  readonly body: string
}

/** A new secret, as it is shown to the user. */
export const makeSecret = (randomBytes: (count: number) => Uint8Array): string =>
  PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')

/** The headers of an attempt. Several secrets make several signatures, so that a receiver can change from one secret to another. */
export function signatureHeaders(signed: Signed, secrets: readonly string[]): Readonly<Record<string, string>> {
  if (signed.id.includes('.')) throw new Error(`The id of a webhook has a full stop: ${signed.id}`)
  const timestamp = String(Math.floor(signed.at / 1_000))
  const signatures = secrets.map((secret) => `v1,${signatureOf(`${signed.id}.${timestamp}.${signed.body}`, secret)}`)
  return { 'webhook-id': signed.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

function signatureOf(content: string, secret: string): string {
  if (!secret.startsWith(PREFIX)) throw new Error(`The secret of a webhook does not begin with ${PREFIX}`)
  return createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')
}
