// node scripts/run.mjs <file> [argument …]: runs a script of ours, or of a tool, with the dependencies and the Node it needs.
import { spawnSync } from 'node:child_process'
import { ensureDependencies, ensureNode, orExplain } from './setup.mjs'

orExplain(() => ensureDependencies({ development: true }))
const done = spawnSync(orExplain(ensureNode), process.argv.slice(2), { stdio: 'inherit' })
process.exit(done.status ?? 1)
