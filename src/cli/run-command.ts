import { createReadStream, fstatSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { openInstallation } from '../app/installation.ts'
import { usesSqlite, type Config } from '../config.ts'
import { Failure } from '../errors.ts'
import type { Command } from './contract/command.ts'
import { UsageError } from './explain/explain.ts'
import type { Output } from './terminal/output.ts'
import { enterDirectory } from './directory/enter-directory.ts'
import { callServer, type Call } from './directory/local-socket.ts'
import { begunIn } from './directory/begun.ts'
import { performOn } from './perform.ts'
import type { Terminal } from './terminal/terminal.ts'

/** Attempts, 0.1 s apart, while a server is starting or stopping. */
const PATIENCE = 100
/** The name of a file that means stdin. */
const STDIN = '-'

/** Runs a command in the server that runs on the data directory, or here where none does. Returns the exit code. */
export async function runCommand(config: Config, typed: Call, command: Command, output: Terminal): Promise<number> {
  const file = command.args.find((argument) => argument.file)
  const path = file && typed.args[file.name]
  const opened = path === undefined || path === STDIN ? undefined : openFile(path)
  const call = { ...typed, inputSize: opened?.size ?? 0 }
  const input = (): Readable | undefined =>
    path === undefined ? undefined : opened ? createReadStream(path, { fd: opened.fd }) : process.stdin
  for (let patience = PATIENCE; ; patience--) {
    const there = usesSqlite(config) ? await callServer(config.data, call, input, output) : undefined
    if (there !== undefined) return there
    enterDirectory(config.data, output.keepFiles)
    const installation = await open(config, patience, !begins(command, call))
    if (installation) return performHere(installation, config, call, input(), output)
    await sleep(100)
  }
}

/** Opens the file as the user who typed the command. `size`: its bytes, 0 where they are not known before the end. @throws UsageError where there is no such file. */
function openFile(path: string): { fd: number; size: number } {
  try {
    const fd = openSync(path, 'r')
    const found = fstatSync(fd)
    if (found.isDirectory()) throw new UsageError(`'${path}' is a directory.`)
    return { fd, size: found.isFile() ? found.size : 0 }
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new UsageError(`There is no file '${path}'.`) : error
  }
}

const begins = ({ begins: rule }: Command, { options }: Call): boolean => (typeof rule === 'function' ? rule(options) : rule)

async function open(
  config: Config,
  patience: number,
  mustExist: boolean,
): Promise<Awaited<ReturnType<typeof openInstallation>> | undefined> {
  try {
    return await openInstallation(config, undefined, mustExist)
  } catch (error) {
    if (error instanceof Failure && error.code === 'server.directory_in_use' && patience > 0) return undefined
    throw error
  }
}

async function performHere(
  { store, close }: Awaited<ReturnType<typeof openInstallation>>,
  config: Config,
  call: Call,
  input: Readable | undefined,
  output: Output,
): Promise<number> {
  try {
    if (store.isNew) await output.note(begunIn(config))
    return await performOn(store, config.data)(call, input, output)
  } finally {
    await close()
  }
}
