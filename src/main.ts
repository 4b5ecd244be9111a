import { readFileSync } from 'node:fs'
import { run } from './cli/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
// Without exit, signal handlers and the channel to the launcher would keep the process running.
process.exit(await run(process.argv.slice(2), version))
