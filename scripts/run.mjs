// node scripts/run.mjs [--production] <file> [argument …]: runs a script of ours, or of a tool, with the dependencies and the Node it needs:
// --production, those of the program, without what its development needs.
import { spawnSync } from 'node:child_process'
import { ensureDependencies, ensureNode, orExplain } from './setup.mjs'

const args = process.argv.slice(2)
const development = args[0] !== '--production'
orExplain(() => ensureDependencies({ development }))
const done = spawnSync(orExplain(ensureNode), development ? args : args.slice(1), { stdio: 'inherit' })
process.exit(done.status ?? 1)
