import { fail } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import type { Db } from '../ground/db.ts'

/** How tables are spread over several servers; '': they are not. */
export type Distribution = '' | 'citus'

/** What a PostgreSQL database has of it. */
interface Layout {
  /** Whether the tables of an installation exist, and whether they are distributed. */
  readonly made: boolean
  readonly spread: boolean
  readonly hasCitus: boolean
  /** Whether Citus knows the address of the coordinator, and the number of servers that hold parts of tables. */
  readonly hasCoordinator: boolean
  readonly holders: number
}

async function layoutOf(db: Db): Promise<Layout> {
  const one = async (query: ReturnType<typeof sql>) => (await db.read(query))[0]![0]!.map(Number)
  const [citus, made] = (await one(sql`SELECT (SELECT count(*) FROM pg_extension WHERE extname = 'citus'),
    (to_regclass('migrations') IS NOT NULL)::integer`)) as [number, number]
  const none: Layout = { made: made === 1, spread: false, hasCitus: false, hasCoordinator: false, holders: 0 }
  if (citus === 0) return none
  const [spread, coordinator, holders] =
    (await one(sql`SELECT (SELECT count(*) FROM pg_dist_partition WHERE logicalrelid = to_regclass('migrations')),
    (SELECT count(*) FROM pg_dist_node WHERE groupid = 0), (SELECT count(*) FROM pg_dist_node WHERE shouldhaveshards AND isactive)`)) as [
      number,
      number,
      number,
    ]
  return { ...none, spread: spread > 0, hasCitus: true, hasCoordinator: coordinator > 0, holders }
}

/** Called before anything is created or read. @throws `database.distribution` */
export async function mustFit(db: Db, wanted: Distribution, replicas: number): Promise<void> {
  const { made, spread, hasCitus, hasCoordinator, holders } = await layoutOf(db)
  const why = () => {
    if (wanted === '') return spread ? 'its tables are spread by Citus; set KARTOTEKA_DISTRIBUTION=citus.' : undefined
    if (!hasCitus) return 'it has no extension citus (CREATE EXTENSION citus, on every server; see docs/citus.md).'
    if (made && !spread) return 'its tables were made on one server; move them to an empty database with kartoteka migrate-store.'
    if (!hasCoordinator) return 'the coordinator does not know its own address (SELECT citus_set_coordinator_host(…)).'
    if (holders === 0) return 'no server holds parts of tables (SELECT citus_add_node(…), on the coordinator).'
    return replicas > 0 ? 'replicas are asked for lists of a single server only; leave KARTOTEKA_REPLICA_URLS out.' : undefined
  }
  const fault = why()
  if (fault !== undefined) throw fail('database.distribution', { why: fault })
}

/** The distribution of an existing installation; of an empty database, the one wanted. */
export async function distributionOf(db: Db, wanted: Distribution): Promise<Distribution> {
  const { made, spread } = await layoutOf(db)
  return made ? (spread ? 'citus' : '') : wanted
}
