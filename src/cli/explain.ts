import { Failure, Failures } from '../errors.ts'
import { UsageError } from './command.ts'

/** What went wrong, for a person; `usage`: he only has to type it otherwise. */
export interface Explanation {
  readonly text: string
  readonly usage: boolean
}

/** A refusal that came from the server that runs, already explained. */
export class Refused extends Error {
  readonly usage: boolean
  constructor({ text, usage }: Explanation) {
    super(text)
    this.usage = usage
  }
}

/** One sentence; with a stack only where the fault is ours. */
export function explain(error: unknown): Explanation {
  if (error instanceof UsageError) return { text: error.message, usage: true }
  if (error instanceof Refused) return { text: error.message, usage: error.usage }
  if (error instanceof Failure) return { text: error.message, usage: /^(config|filter)\.|^(?!backup\.).*\.not_found$/.test(error.code) }
  if (error instanceof Failures) return { text: error.failures.map(({ message }) => message).join(' '), usage: false }
  const system = ofTheSystem(error as NodeJS.ErrnoException & { address?: string; port?: number })
  if (system !== undefined) return { text: system, usage: false }
  return { text: `Something went wrong here: ${error instanceof Error ? error.stack : String(error)}`, usage: false }
}

/** Failures of files and addresses, which the operator can mend. */
function ofTheSystem({ code, syscall, path, port, message }: NodeJS.ErrnoException & { port?: number }): string | undefined {
  if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return undefined
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program; choose another with --port.`
  if (code === 'EACCES' && syscall === 'listen') return `Port ${port} is not allowed to this user; choose one above 1023 with --port.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `This machine does not have the address given with --host (${code}).`
  if ((code === 'EEXIST' || code === 'ENOTDIR') && syscall === 'mkdir') return `'${path}' cannot be a directory: a file is in its place.`
  if (code === 'ENOENT' && path !== undefined) return `There is no '${path}'.`
  if ((code === 'EACCES' || code === 'EPERM') && path !== undefined) return `Access to '${path}' is not allowed to this user.`
  return message
}
