import type { Dialect } from '../../../sql/dialect.ts'
import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/**
 * What has changed in the catalogue, so that nobody reads more than that (store/load-catalogue.ts). `version` of a rule goes up
 * with each change of it. `structure` and `people` count the changes of either kind in `catalogue_version`; a change that raises
 * `version` alone, as older processes do, may be one of anything.
 */
export const catalogueParts = ({ integer, shared }: Dialect): Step[] => [
  alter(sql`ALTER TABLE access ADD COLUMN version ${integer} NOT NULL DEFAULT 1`),
  // So that the sum of the versions reads no filters.
  alter(sql`CREATE INDEX access_by_version ON access (version, id)`),
  ...(shared
    ? [
        alter(sql`ALTER TABLE catalogue_version ADD COLUMN structure ${integer} NOT NULL DEFAULT 0`),
        alter(sql`ALTER TABLE catalogue_version ADD COLUMN people ${integer} NOT NULL DEFAULT 0`),
      ]
    : []),
]
