import { fail } from '../errors.ts'
import { limits } from '../limits.ts'
import { atMost } from './at-most.ts'

/** Characters; the longest is there so that nobody makes the service hash a book. */
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 1000

/** argon2id with the parameters OWASP asks for: 19 MiB, 2 passes. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** @throws `field.invalid_value`, pointing at the attribute `password`; `server.busy`. */
export async function hashPassword(password: string): Promise<string> {
  const length = [...password].length
  const where = { source: { pointer: '/data/attributes/password' } }
  if (length < PASSWORD_MIN) throw fail('field.invalid_value', { why: `A password has at least ${PASSWORD_MIN} characters.` }, where)
  if (length > PASSWORD_MAX) throw fail('field.invalid_value', { why: `A password has at most ${PASSWORD_MAX} characters.` }, where)
  if (!password.isWellFormed()) throw fail('field.invalid_value', { why: 'The password is not well-formed Unicode.' }, where)
  return inTurn(async () => (await argon2()).hash(password.normalize('NFC'), parameters))
}

/** Of the four threads that Node has for this, two are left for files and for names of hosts. */
const inTurn = atMost(limits.passwords.most, limits.passwordsWaiting.most)

/** Loaded with the first password: most starts meet none. */
const argon2 = () => import('@node-rs/argon2')

let nobody: Promise<string> | undefined

/** Whether it is the password; '' as the hash (no account, no password yet) takes as long as any other wrong one. */
export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  const known = passwordHash !== ''
  const tried = password.length <= PASSWORD_MAX * 2 ? password.normalize('NFC') : ''
  return inTurn(async () => {
    const { hash, verify } = await argon2()
    nobody ??= hash('nobody', parameters)
    return (await verify(known ? passwordHash : await nobody, tried)) && known
  })
}
