import type { Uses } from '../../store/ground/store.ts'
import { findUserByLogin, type User } from '../../store/people/users.ts'
import { UsageError } from '../explain/explain.ts'

/** @throws UsageError if there is no user with this login */
export async function findUser(store: Uses<'db'>, login: string): Promise<User> {
  const user = await findUserByLogin(store, login)
  if (!user) throw new UsageError(`There is no user '${login}'.`)
  return user
}
