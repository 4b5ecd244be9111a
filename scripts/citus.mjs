/*
 * npm run citus [-- --workers 2] [--shards 4] [--disk]: a Citus cluster on this machine. It prints the address to give to
 * KARTOTEKA_TEST_CITUS_URL and runs until it is told to stop; then nothing is left of it. Citus must be installed beside the
 * PostgreSQL (docs/citus.md); KARTOTEKA_TEST_POSTGRES names the folder of its programs.
 */
import { parseArgs } from 'node:util'
import { ensureDependencies, orExplain, SetupFailure } from './setup.mjs'

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    shards: { type: 'string', default: '4' },
    disk: { type: 'boolean', default: false },
  },
})
orExplain(() => ensureDependencies({ development: true }))
const { startCitus } = await import('./citus-cluster.mjs')

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(0))
const workers = Number(values.workers)
try {
  const { url } = await startCitus({ workers, shards: Number(values.shards), onDisk: values.disk })
  console.log(`A coordinator and ${workers} worker${workers === 1 ? '' : 's'}:\n\n  KARTOTEKA_TEST_CITUS_URL=${url}`)
} catch (error) {
  console.error(error instanceof SetupFailure ? error.message : error)
  process.exit(1)
}
