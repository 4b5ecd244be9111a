import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk that has no room for anything until it is freed. */
export interface SmallDisk {
  /** As the processes that are started `through` see it. */
  readonly directory: string
  /** The same as this process sees it. */
  readonly here: string
  /** Words before a command. */
  readonly through: readonly string[]
  /** Takes all room there is from the process. */
  fill(pid: number): void
  free(pid: number): void
  remove(): void
}

/**
 * A file system of some megabytes in memory, which only the processes that are started through it see; root makes one, and on
 * most systems anybody. A text: why there is none here.
 */
export async function smallFileSystem(megabytes: number): Promise<SmallDisk | string> {
  const own = process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-disk-'))
  const script = 'mount -t tmpfs -o size=$1m,mode=700 none "$2" && echo ready && exec cat'
  // It has the file system for as long as this process has its input.
  const holder = spawn('unshare', [...own, '--mount', 'sh', '-c', script, 'sh', String(megabytes), directory])
  let complaint = ''
  holder.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  holder.on('error', ({ message }) => (complaint += message))
  const ended = once(holder, 'close').catch(() => undefined)
  const isReady = await Promise.race([once(holder.stdout, 'data').then(() => true), ended.then(() => false)])
  if (!isReady) {
    rmdirSync(directory)
    return `no file system can be made here: ${complaint.trim()}`
  }
  const here = `/proc/${holder.pid}/root${directory}`
  const ballast = join(here, 'ballast')
  return {
    directory,
    here,
    through: ['nsenter', '--target', String(holder.pid), '--mount', ...(own.length > 0 ? ['--user', '--preserve-credentials'] : []), '--'],
    fill() {
      const file = openSync(ballast, 'a')
      for (let bytes = 65_536; bytes >= 1;) {
        try {
          writeSync(file, Buffer.alloc(bytes))
        } catch {
          bytes /= 4
        }
      }
      closeSync(file)
    },
    free: () => rmSync(ballast),
    remove() {
      holder.stdin.end()
      rmdirSync(directory)
    },
  }
}

/** A limit on the size of files, which the system sets on the process. A text: why there is none here. */
export function limitOnFiles(): SmallDisk | string {
  const limit = (pid: number, bytes: string) => spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { encoding: 'utf8' })
  const { status, error, stderr } = limit(process.pid, 'unlimited')
  if (status !== 0) return `no limit can be set on a process here: ${error?.message ?? stderr}`
  const directory = mkdtempSync(join(tmpdir(), 'kartoteka-disk-'))
  return {
    directory,
    here: directory,
    through: [],
    fill: (pid) => void limit(pid, '0'),
    free: (pid) => void limit(pid, 'unlimited'),
    remove: () => rmSync(directory, { recursive: true }),
  }
}
