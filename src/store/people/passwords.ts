import { fail } from '../../errors.ts'
import { normalized } from '../../fields/fold.ts'
import { hasLongRun } from '../../fields/forms/marks.ts'
import { limits } from '../../limits.ts'
import type { Client } from '../model/asker.ts'
import { atMost } from '../scheduling/at-most.ts'

/** The fewest characters. */
const LEAST = 8
/** The most code units. */
const LONGEST_UNITS = 2 * limits.password.most

/** argon2id with the parameters that OWASP recommends: 19 MiB, 2 passes. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** @throws `field.invalid_value`, pointing at the attribute `password`; `server.busy`; Abandoned where the client goes while it waits. */
export async function hashPassword(password: string, client?: Client): Promise<string> {
  const refuse = (why: string) => fail('field.invalid_value', { why }, { attribute: 'password' })
  const length = password.length > LONGEST_UNITS ? Infinity : [...password].length
  if (length < LEAST) throw refuse(`A password has at least ${LEAST} characters.`)
  if (length > limits.password.most) throw refuse(`A password has at most ${limits.password.most} characters.`)
  if (!password.isWellFormed()) throw refuse('The password is not well-formed Unicode.')
  if (hasLongRun(password)) throw refuse(`A password has at most ${limits.marks.most} combining marks in a row.`)
  return inTurn(async () => (await argon2()).hash(normalized(password), parameters), client)
}

/** Passwords hashed at once. Node has four threads for such work; two are left for files and DNS. */
const inTurn = atMost(limits.passwords.most, limits.passwordsWaiting.most)

/** Loaded with the first password: most commands need none. */
const argon2 = () => import('@node-rs/argon2')

let nobody: Promise<string> | undefined

/** Whether the password is right. With '' as the hash (no account, or no password yet) it takes as long as for a wrong password. */
export async function verifyPassword(passwordHash: string, password: string, client?: Client): Promise<boolean> {
  const known = passwordHash !== ''
  const tried = password.length <= LONGEST_UNITS ? normalized(password) : ''
  return inTurn(async () => {
    const { hash, verify } = await argon2()
    nobody ??= hash('nobody', parameters).catch((error: unknown) => {
      nobody = undefined
      throw error
    })
    return (await verify(known ? passwordHash : await nobody, tried)) && known
  }, client)
}
