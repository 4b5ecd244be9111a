import { fail } from '../../errors.ts'
import type { Caller } from '../../store/model/access.ts'
import type { Reach } from './route.ts'

/* The rule for tokens that are limited to some tables. */

export const reaches = ({ tables }: Caller, token: Reach): boolean => token !== 'unlimited' || !tables

/** @throws `access.denied` where the token is limited to some tables and the route is not about one of them */
export function mustReach(caller: Caller, token: Reach): void {
  if (!reaches(caller, token)) throw fail('access.denied', { what: 'do this with a token limited to some tables' })
}
