import type { Dialect } from '../../../sql/dialect.ts'
import { sql, type Sql } from '../../../sql/sql.ts'

/** From where people have signed in (store/people/throttle.ts); last: of the last time, in Unix milliseconds. */
export const knownNetworks = ({ integer, text }: Dialect): Sql[] => [
  sql`CREATE TABLE known_networks (user_id ${integer} NOT NULL, network ${text} NOT NULL, last ${integer} NOT NULL, PRIMARY KEY (user_id, network))`,
]
