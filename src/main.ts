import { readFileSync } from 'node:fs'
import { run } from './cli/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
process.exitCode = await run(process.argv.slice(2), version)
