import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { createTable, type Step } from '../migration-step.ts'

/** From where people have signed in (store/people/throttle.ts); last: of the last time, in Unix milliseconds. */
export const knownNetworks = ({ integer, text }: Dialect): Step[] => [
  createTable(
    'known_networks',
    sql`CREATE TABLE known_networks (user_id ${integer} NOT NULL, network ${text} NOT NULL, last ${integer} NOT NULL, PRIMARY KEY (user_id, network))`,
  ),
]
