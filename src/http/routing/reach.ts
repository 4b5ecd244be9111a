import { fail } from '../../errors.ts'
import type { Caller } from '../../store/model/access.ts'
import type { Reach } from './route.ts'

/*
 * Which routes a token may use that is limited to some tables. Which tables it reaches is `rightsOn` (store/model/access.ts): others do not
 * exist for it.
 */

export const reaches = ({ tables }: Caller, token: Reach): boolean => token !== 'unlimited' || !tables

/** @throws `access.denied` where the token is limited to some tables and the route needs one that is not (`Reach`) */
export function mustReach(caller: Caller, token: Reach): void {
  if (!reaches(caller, token)) throw fail('access.denied', { what: 'do this with a token limited to some tables' })
}
