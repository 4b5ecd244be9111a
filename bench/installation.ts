/** An installation in a directory of its own with the seed imported, driven by its command line as a person would. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { csv } from './customers.ts'

const program = fileURLToPath(new URL('../bin/kartoteka.mjs', import.meta.url))

export interface Process {
  readonly child: ChildProcess
  readonly port: number
}

/** Runs one command on the installation and returns what it printed. */
export function command(data: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', env: settings(data), stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Imports the seed into a new table, which is table 1, and returns a token of the administrator. */
export async function importCustomers(data: string, count: number): Promise<string> {
  const file = join(data, '..', 'customers.csv')
  await pipeline(Readable.from(csv(count)), createWriteStream(file))
  command(data, 'import', 'customers', file, '--create')
  return command(data, 'token', 'create', '--login', 'admin').trim()
}

/** Starts a program and waits for the line that matches; its first group is the port. */
export function start(args: readonly string[], line: RegExp, data = ''): Promise<Process> {
  const child = spawn(process.execPath, args, { env: settings(data), stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      const port = line.exec(said)?.[1]
      if (port !== undefined) resolve({ child, port: Number(port) })
    })
    child.on('exit', () => reject(new Error(`${args.join(' ')} ended before it was ready: ${said}`)))
  })
}

export const serve = (data: string): Promise<Process> => start([program, 'serve'], /listens on \S+:(\d+)/, data)

export async function stop({ child }: Process): Promise<void> {
  child.kill()
  if (child.exitCode === null) await once(child, 'exit')
}

/** Seconds of CPU a process has used, and its resident memory in MiB; from /proc, so on Linux only. */
export function usage(pid: number): { cpu: number; memory: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, memory: (pages * 4096) / 2 ** 20 }
}

function settings(data: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, KARTOTEKA_DATA: data, KARTOTEKA_LOG_LEVEL: 'warn', PORT: '0' }
}
