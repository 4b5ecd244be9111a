import { createHmac, timingSafeEqual } from 'node:crypto'
import { randomText } from '../ground/random-text.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import { sql } from '../../sql/sql.ts'
import { callersNow } from './authenticate.ts'

/*
 * Links that read something without a token, for programs that cannot send one. A link names the token by which it was made and the second
 * at which it expires, and is signed with a key of the installation. It has the rights of that token at the moment of use, to read: so it ends
 * when the token ends, the user is archived, or the rights go.
 */

export interface SignedLink {
  /** The value of the parameter `link`. */
  readonly text: string
  /** Unix seconds. */
  readonly expires: number
}

/** A link to `place`, for so many seconds. */
export async function signLink(
  store: Uses<'db' | 'environment' | 'instance'>,
  { tokenId }: Caller,
  place: string,
  lifetime: number,
): Promise<SignedLink> {
  const expires = Math.floor(store.environment.now() / 1000) + lifetime
  const signature = signatureOf(store, await keyOf(store), place, tokenId, expires)
  return { text: `${tokenId}.${expires}.${signature.toString('base64url')}`, expires }
}

/** Who reads `place` by this link; undefined where it is not valid (any more). */
export async function callerOfLink(
  store: Uses<'db' | 'environment' | 'settings' | 'catalogue' | 'onFault' | 'instance'>,
  place: string,
  text: string,
  address: string,
): Promise<Caller | undefined> {
  const [, token = '', until = '', signed = ''] = /^([1-9]\d{0,14})\.(\d{1,12})\.([\w-]{43})$/.exec(text) ?? []
  const [tokenId, expires] = [Number(token), Number(until)]
  if (tokenId === 0 || expires * 1000 <= store.environment.now()) return undefined
  const sent = Buffer.from(signed, 'base64url')
  const right = signatureOf(store, await keyOf(store), place, tokenId, expires)
  if (sent.length !== right.length || !timingSafeEqual(sent, right)) return undefined
  // Whoever uses the link does not keep the session of its maker alive.
  const caller = (await callersNow(store, [tokenId], false)).get(tokenId)
  return caller && { ...caller, scope: 'read', address }
}

/** Links from before a restored backup are not valid after it: `instance` has changed. */
const signatureOf = ({ instance }: Uses<'instance'>, key: string, place: string, tokenId: number, expires: number): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify([instance, place, tokenId, expires]))
    .digest()

/** Made with the first link. Several processes may make it at once: the first one stays. */
async function keyOf({ db, environment }: Uses<'db' | 'environment'>): Promise<string> {
  const read = async () => (await db.read(sql`SELECT value FROM meta WHERE name = 'link_key'`))[0]![0]?.[0]
  const known = await read()
  if (known !== undefined) return String(known)
  const made = randomText({ environment }, 48)
  await db.write((tx) => tx.run(sql`INSERT INTO meta (name, value) VALUES ('link_key', ${made}) ON CONFLICT (name) DO NOTHING`))
  return String(await read())
}
