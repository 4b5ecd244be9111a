/** The two servers that are compared, started on copies of prepared data as a person would start them. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { COLUMNS, csv, type Column } from './seed.ts'
import type { Fields } from './lists.ts'
import { peakMemory } from './machine.ts'

export const program: string = fileURLToPath(new URL('../bin/kartoteka.mjs', import.meta.url))
const script = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export interface Server {
  readonly child: ChildProcess
  readonly port: number
  readonly token: string
}

/** The program of the version in another folder. */
export const programIn = (folder: string): string => join(folder, 'bin/kartoteka.mjs')

/** Kartoteka, with what one has to know of the table. */
export interface Ours extends Server {
  readonly data: string
  readonly fields: Fields
}

/** The types of the seed's columns; the others are what the import makes of them. */
const TYPES = ['email=text', 'phone=text', 'balance=decimal', 'created=datetime', 'status=list', 'manager=integer', 'notes=longtext']

/** Runs one command on an installation to its end and returns what it printed and how it used the machine. */
export const command = (data: string, ...args: readonly string[]): Promise<{ said: string; seconds: number; peak: number }> =>
  commandOf(program, {}, data, ...args)

/** The same with settings of its own. */
export const commandWith = (
  more: NodeJS.ProcessEnv,
  data: string,
  ...args: readonly string[]
): Promise<{ said: string; seconds: number; peak: number }> => commandOf(program, more, data, ...args)

/** The same by the program of another version. */
export const commandOf = (
  from: string,
  more: NodeJS.ProcessEnv,
  data: string,
  ...args: readonly string[]
): Promise<{ said: string; seconds: number; peak: number }> =>
  ended(
    spawn(process.execPath, [from, ...args], { env: { ...settings(data), ...more }, stdio: ['ignore', 'pipe', 'pipe'] }),
    args.join(' '),
  )

export const importArguments = (table: string, file: string): readonly string[] => [
  'import',
  table,
  file,
  '--create',
  ...TYPES.flatMap((one) => ['--type', one]),
]

/** Writes the seed as a CSV file. */
export const writeCsv = (file: string, from: number, to: number): Promise<void> =>
  pipeline(Readable.from(csv(from, to)), createWriteStream(file))

/** Makes a database of the floor from a CSV file. */
export const loadFloor = (file: string, from: string): Promise<{ seconds: number; peak: number }> =>
  ended(spawn(process.execPath, [script('floor-load.ts'), file, from], { stdio: ['ignore', 'pipe', 'pipe'] }), 'floor-load')

export async function startOurs(data: string, token: string, more: NodeJS.ProcessEnv = {}, from: string = program): Promise<Ours> {
  const server = await start([from, 'serve'], /listens on \S+:(\d+)/, data, more)
  const fields: Record<string, string> = {}
  const { data: found } = (await ask({ ...server, token }, '/api/dev/field?filter=eq(table_id,1)')) as {
    data: { attributes: Record<string, string> }[]
  }
  for (const { attributes } of found) fields[attributes['field_name']!] = attributes['int_name']!
  const lost = COLUMNS.find((column) => fields[column] === undefined)
  if (lost !== undefined) throw new Error(`There is no field '${lost}'.`)
  return { ...server, token, data, fields: fields as Record<Column, string> }
}

export const startFloor = async (file: string): Promise<Server> => ({
  ...(await start([script('floor.ts'), file], /^(\d+)\n/)),
  token: 'floor',
})

/** Starts a program and waits for the line that matches; its first group is the port. */
export function start(args: readonly string[], line: RegExp, data = '', more: NodeJS.ProcessEnv = {}): Promise<Omit<Server, 'token'>> {
  const child = spawn(process.execPath, args, { env: { ...settings(data), ...more }, stdio: ['ignore', 'pipe', 'inherit'] })
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

export async function stop({ child }: Pick<Server, 'child'>): Promise<void> {
  child.kill()
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** One request, outside of any measurement. @throws where the answer is not 2xx */
export async function ask({ port, token }: Omit<Server, 'child'>, path: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-auth-token': token } })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

function settings(data: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, KARTOTEKA_DATA: data, KARTOTEKA_LOG_LEVEL: 'warn', PORT: '0' }
}

async function ended(child: ChildProcess, what: string): Promise<{ said: string; seconds: number; peak: number }> {
  const began = performance.now()
  let said = ''
  let complained = ''
  let peak = 0
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (said += chunk))
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => (complained += chunk))
  const watching = setInterval(() => (peak = Math.max(peak, peakMemory(child.pid!))), 50)
  const [code] = (await once(child, 'close')) as [number]
  clearInterval(watching)
  if (code !== 0) throw new Error(`${what} ended with ${code}: ${said}${complained}`)
  return { said, seconds: (performance.now() - began) / 1000, peak }
}
