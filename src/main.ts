import { readFileSync } from 'node:fs'
import { run } from './cli/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
// Signal handlers and the launcher's channel would keep the process alive.
process.exit(await run(process.argv.slice(2), version))
