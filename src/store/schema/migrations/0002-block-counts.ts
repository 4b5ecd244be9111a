import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { createTable, type Step } from '../migration-step.ts'

/** Records per block of 256 ids, from which any offset of an unfiltered list is found (store/positions/local-positions.ts). */
export const blockCounts = (dialect: Dialect): Step[] => [
  createTable(
    'block_counts',
    sql`CREATE TABLE block_counts (table_id ${dialect.integer} NOT NULL, block ${dialect.integer} NOT NULL, n ${dialect.integer} NOT NULL,
    PRIMARY KEY (table_id, block))`,
  ),
]
