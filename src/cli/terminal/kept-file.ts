import { spawn } from 'node:child_process'
import { accessSync, chmodSync, constants, createWriteStream, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { once } from 'node:events'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Refused } from '../explain/explain.ts'

/** A file that is created by the first write to it. */
export interface KeptFile {
  begin(): Promise<Writable>
  /** `isWhole`: all of it was written; else a file that was to be replaced stays as it was. @throws Refused where it could not be written. */
  close(isWhole: boolean): Promise<void>
}

/** Where a file is written: `beside` it, and renamed at the end, or straight into it. */
interface Place {
  readonly path: string
  readonly beside: string | undefined
  /** Permissions of the file that is replaced. */
  readonly mode: number | undefined
}

/**
 * Beside are written new files, and files of the user that have one name. Devices, pipes, links and files of others, and what could not be
 * renamed, are written straight.
 */
function placeOf(path: string): Place {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    const target = found ? realpathSync(path) : path
    accessSync(dirname(target), constants.W_OK)
    if (found) accessSync(target, constants.W_OK)
    const isOwn = !found || (found.isFile() && found.nlink === 1 && found.uid === process.geteuid?.())
    if (isOwn) return { path: target, beside: `${target}.${process.pid}.part`, mode: found && found.mode & 0o7777 }
  } catch {
    // Opening it tells why it cannot be written.
  }
  return { path, beside: undefined, mode: undefined }
}

/**
 * Opens the file when it has read the first message: a command that writes nothing creates no file. The last one tells that it is whole. The
 * file beside is new, and until it replaces another one it is readable for its user alone.
 */
const SCRIPT = `read word || exit 0
if [ -z "$2" ]; then exec cat > "$1"; fi
set -C
if [ -n "$3" ]; then umask 077; fi
cat > "$2" && if read word <&3; then if [ -n "$3" ]; then chmod "$3" "$2"; fi; mv -f "$2" "$1"; else rm -f "$2"; fi || { rm -f "$2"; exit 1; }`

/** A file that is opened and written as the user of this call, even if the process changes its user later. `isReplaced`: only when it is whole. */
export function keepFile(path: string, isReplaced: boolean): KeptFile {
  const { beside = '', mode, path: target } = isReplaced ? placeOf(path) : { path }
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', target, beside, mode === undefined ? '' : mode.toString(8)], {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  let begun = false
  let said = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (said += text))
  const end = child.stdio[3] as Writable
  // Its error output is read at the end.
  for (const input of [child.stdin!, end]) input.on('error', () => undefined)
  const ended = once(child, 'close')
  return {
    async begin() {
      begun = true
      child.stdin!.write('begin\n')
      return child.stdin!
    },
    async close(isWhole) {
      child.stdin!.end()
      end.end(isWhole ? 'whole\n' : '')
      const [code] = await ended
      if (begun && code !== 0) throw new Refused({ text: `'${path}' cannot be written: ${said.trim().split(': ').at(-1)}.`, usage: false })
    },
  }
}

/** The same for a process that stays one of its user. */
export function ownFile(path: string, isReplaced: boolean): KeptFile {
  const { beside, mode, path: target } = isReplaced ? placeOf(path) : { path, beside: undefined }
  let file: Writable | undefined
  return {
    async begin() {
      // Until it replaces another one, the file beside is readable for its user alone.
      const opened = createWriteStream(
        beside ?? target,
        beside === undefined ? {} : { flags: 'wx', mode: mode === undefined ? 0o666 : 0o600 },
      )
      await once(opened, 'open')
      return (file = opened)
    },
    async close(isWhole) {
      if (!file) return
      try {
        file.end()
        await finished(file)
        if (beside === undefined || !isWhole) return
        if (mode !== undefined) chmodSync(beside, mode)
        renameSync(beside, target)
      } finally {
        if (beside !== undefined) rmSync(beside, { force: true })
      }
    },
  }
}
