import { createHash } from 'node:crypto'
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, realpathSync, statSync, type Stats } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Refused } from '../explain/explain.ts'
import { userName } from '../explain/user-name.ts'

/* The place of the socket of a running server: always in its data directory, to which other users cannot write. */

const NAME = 'kartoteka.sock'
/** Bytes of the address of a Unix socket that all systems accept. */
const ADDRESS_MOST = 100
/** O_PATH of Linux: opens a file without access to its content. Node has no constant for it. */
const O_PATH = 0o10000000

/** An address for one call of bind or connect; `release` is called when it is not needed any more. */
export interface Address {
  readonly address: string
  release(): void
}

/** The address for a server that has the lock of the directory. @throws Refused where no address is short enough */
export function addressToBind(directory: string): Address & { readonly path: string } {
  const path = socketPath(directory)
  const short = shortName(path)
  if (short !== undefined) return { path, address: short, release: () => undefined }
  if (process.platform !== 'linux')
    throw refused(`The path of the data directory, '${directory}', is too long for a socket here. Start from a directory near to it.`)
  const folder = openSync(real(directory), constants.O_RDONLY | constants.O_DIRECTORY)
  return { path, address: `/proc/self/fd/${folder}/${NAME}`, release: () => closeSync(folder) }
}

/**
 * The socket of the server that runs on the directory; undefined where there is none.
 * @throws Refused where the file is not a socket, or its owner is neither the directory's owner nor this user nor root
 */
export function addressToConnect(directory: string): Address | undefined {
  const path = socketPath(directory)
  if (process.platform === 'win32') return { address: path, release: () => undefined }
  const isLinux = process.platform === 'linux' && existsSync('/proc/self/fd')
  let opened: number | undefined
  try {
    // The file that is checked must be the one that is connected to, even if another user replaces it meanwhile.
    if (isLinux) opened = openSync(path, O_PATH | constants.O_NOFOLLOW)
    mustBeTrusted(path, directory, opened === undefined ? lstatSync(path) : fstatSync(opened))
  } catch (error) {
    if (opened !== undefined) closeSync(opened)
    // enter-directory.ts reports a directory that cannot be entered, with its owner.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  const fd = opened
  if (fd === undefined) return { address: shortName(path) ?? path, release: () => undefined }
  return { address: `/proc/self/fd/${fd}`, release: () => closeSync(fd) }
}

function mustBeTrusted(path: string, directory: string, found: Stats): void {
  const owner = statSync(directory).uid
  if (!found.isSocket()) throw refused(`'${path}' is not the socket of a server. Remove it.`)
  if ([owner, process.geteuid!(), 0].includes(found.uid)) return
  throw refused(
    `'${path}' was made by the user ${userName(found.uid)}, and the data directory belongs to ${userName(owner)}: nothing is sent to it. Find out who serves there.`,
  )
}

const refused = (text: string) => new Refused({ text, usage: false })

function socketPath(directory: string): string {
  const whole = real(directory)
  if (process.platform !== 'win32') return join(whole, NAME)
  return `\\\\.\\pipe\\kartoteka-${createHash('sha256').update(whole).digest('hex').slice(0, 24)}`
}

function shortName(path: string): string | undefined {
  return [path, relative(process.cwd(), path)].find((one) => Buffer.byteLength(one) <= ADDRESS_MOST)
}

/** The same name for the same directory, however it is reached. */
function real(directory: string): string {
  try {
    return realpathSync(directory)
  } catch {
    return resolve(directory)
  }
}
