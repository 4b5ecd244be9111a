import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The details of a fault of the program that developers need. Without messages: these may quote what was typed or stored. */
export interface Fault {
  /** The names and codes of the error and of its causes, each with its stack. */
  readonly stack: readonly string[]
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
/** Causes that are followed, at most. */
const CAUSES = 5

export function stackOf(error: unknown): Fault {
  const stack: string[] = []
  for (let one = error, i = 0; one !== undefined && i < CAUSES; i++) {
    if (!(one instanceof Error)) {
      stack.push(`thrown: a ${typeof one}`)
      break
    }
    const { code } = one as { code?: unknown }
    const named = typeof code === 'string' && /^[A-Z0-9_]{1,60}$/i.test(code) ? ` (${code})` : ''
    const frames = (one.stack ?? '')
      .replace(one.message, '')
      .split('\n')
      .filter((line) => /^ +at /.test(line))
    stack.push(`${one.constructor.name}${named}`, ...frames.map((frame) => frame.replaceAll(root, '')))
    one = one.cause
  }
  return { stack }
}

/** Writes a report of a fault for developers. Returns the path of the file; undefined where it cannot be written. */
export function report({ stack }: Fault, command: string, version: string): string | undefined {
  const path = join(tmpdir(), `kartoteka-fault-${randomBytes(6).toString('hex')}.txt`)
  const { platform, arch, version: node } = process
  const lines = [`Kartoteka ${version}, Node ${node}, ${platform} ${arch}`, `Command: ${command}`, '', ...stack, '']
  try {
    writeFileSync(path, lines.join('\n'), { mode: 0o600, flag: 'wx' })
    return path
  } catch {
    return undefined
  }
}
