import { readFileSync } from 'node:fs'
import { run } from './cli/program.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const code = await run(process.argv.slice(2), version)
// What a slow reader of a pipe has not taken yet would be lost.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise<void>((taken) => stream.write('', () => taken()))))
// Without exit, signal handlers and the channel to the launcher would keep the process running.
process.exit(code)
