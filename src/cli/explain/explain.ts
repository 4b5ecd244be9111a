import { Failure, Failures } from '../../errors.ts'
import { isDamage } from '../../store/sqlite/damage.ts'

import { stackOf, type Fault } from './fault.ts'
import { userName } from './user-name.ts'

/** The command line is invalid: printed as a sentence, exit code 2. */
export class UsageError extends Error {}

/** An error as a sentence for people. `usage`: the command line was wrong. `fault`: the program has a fault; these are the details for developers. */
export interface Explanation {
  readonly text: string
  readonly usage: boolean
  readonly fault?: Fault
}

/** An error that is explained already, such as one from the running server. */
export class Refused extends Error {
  readonly usage: boolean
  readonly fault: Fault | undefined
  constructor({ text, usage, fault }: Explanation) {
    super(text)
    this.usage = usage
    this.fault = fault
  }
}

/** A sentence for anything that was thrown. */
export function explain(error: unknown): Explanation {
  if (error instanceof UsageError) return { text: error.message, usage: true }
  if (error instanceof Refused) return { text: error.message, usage: error.usage, ...(error.fault && { fault: error.fault }) }
  if (error instanceof Failure)
    return { text: `${placeIn(error)}${error.message}`, usage: /^(config|filter)\.|^(?!backup\.).*\.not_found$/.test(error.code) }
  if (error instanceof Failures) return { text: error.failures.map(({ message }) => message).join(' '), usage: false }
  const known = error instanceof Error ? (ofTheDatabase(error) ?? ofTheSystem(error)) : undefined
  if (known !== undefined) return { text: known, usage: false }
  return { text: 'This is a fault of Kartoteka itself.', usage: false, fault: stackOf(error) }
}

/** The same error with its place in a filter in characters, as people count them: parsers and the wire count UTF-16 code units. */
export function inCharacters(error: unknown, filter: string): unknown {
  const position = error instanceof Failure ? error.where.meta?.['position'] : undefined
  if (!(error instanceof Failure) || typeof position !== 'number') return error
  return error.with({ ...error.where, meta: { ...error.where.meta, position: Array.from(filter.slice(0, position)).length } })
}

/** Where a filter is not understood; other faults of filters name what is wrong. */
function placeIn({ code, where }: Failure): string {
  const position = where.meta?.['position']
  return code === 'filter.syntax' && typeof position === 'number' ? `Character ${position + 1} of the filter: ` : ''
}

/** Errors of SQLite that the operator can mend; the others are faults of the program. */
function ofTheDatabase(error: Error & { code?: unknown }): string | undefined {
  const { code } = error
  if (typeof code !== 'string' || !code.startsWith('SQLITE_')) return undefined
  if (isDamage(error)) return `The database file is damaged (${code}). Stop the server, keep a copy of the directory, and restore a backup.`
  if (/^SQLITE_(FULL|IOERR_(WRITE|SHMSIZE))/.test(code)) return FULL
  if (/^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(code))
    return `The database cannot be written (${code}): check the permissions of the data directory and its files, and how its disk is mounted.`
  if (/^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(code)) return `The database is in use by another program (${code}). Try again.`
  if (/^SQLITE_(IOERR|NOMEM|NOLFS)/.test(code))
    return `The database cannot be read or written (${code}): check the disk and the system log.`
  return undefined
}

const FULL = 'The disk is full, or a quota is reached.'

/** Errors of files and addresses, which the operator can mend. */
function ofTheSystem(error: Error): string | undefined {
  const { code, syscall, path, port, address, message } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (typeof code !== 'string' || !/^E[A-Z0-9]+$/.test(code)) return undefined
  if (code === 'EADDRINUSE') return `Port ${port} is in use by another program; choose another with --port or PORT.`
  if (code === 'EACCES' && syscall === 'listen') return `Port ${port} needs root; choose one above 1023 with --port or PORT.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine does not have the address given with --host or KARTOTEKA_HOST (${code}).`
  if (/^(ENOSPC|EDQUOT|EFBIG)$/.test(code)) return FULL
  const place = path ?? address
  if (place === undefined) return message
  if ((code === 'EEXIST' || code === 'ENOTDIR') && syscall === 'mkdir') return `'${place}' cannot be a directory: a file is in its place.`
  if (code === 'ENOENT') return `There is no '${place}'.`
  if (code === 'EACCES' || code === 'EPERM') return `Access to '${place}' is denied to the user ${userName(process.geteuid?.() ?? 0)}.`
  if (code === 'EROFS') return `'${place}' is on a read-only file system.`
  return message
}
