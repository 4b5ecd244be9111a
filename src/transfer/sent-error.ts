import { Failure, Failures } from '../errors.ts'
import { Unreadable } from './read-csv.ts'

/*
 * An error as a message between threads. A structured clone of an error loses its class and what it has besides its message, such as the
 * code of an error of the system.
 */

type SentFailure = Pick<Failure, 'code' | 'status' | 'title' | 'retryAfter' | 'message' | 'where'>

export type SentError =
  | { readonly kind: 'failures'; readonly failures: readonly SentFailure[] }
  | { readonly kind: 'unreadable'; readonly message: string; readonly typed: string }
  | {
      readonly kind: 'error'
      readonly message: string
      readonly stack: string | undefined
      readonly more: Readonly<Record<string, unknown>>
    }

export function sentError(error: unknown): SentError {
  if (error instanceof Failure) return { kind: 'failures', failures: [sentFailure(error)] }
  if (error instanceof Failures) return { kind: 'failures', failures: error.failures.map(sentFailure) }
  if (error instanceof Unreadable) return { kind: 'unreadable', message: error.message, typed: error.typed }
  if (!(error instanceof Error)) return { kind: 'error', message: String(error), stack: undefined, more: {} }
  const { name, message, stack } = error
  const plain = Object.entries(error).filter(([, value]) => typeof value === 'string' || typeof value === 'number')
  return { kind: 'error', message, stack, more: { name, ...Object.fromEntries(plain) } }
}

/** What `sentError` was given; of errors that are not the program's own, their class is lost. */
export function receivedError(sent: SentError): Error {
  if (sent.kind === 'unreadable') return new Unreadable(sent.message, sent.typed)
  if (sent.kind === 'error') return Object.assign(new Error(sent.message), { stack: sent.stack }, sent.more)
  const failures = sent.failures.map((one) => new Failure(one, one.message, one.where))
  return failures.length === 1 ? failures[0]! : new Failures(failures)
}

const sentFailure = ({ code, status, title, retryAfter, message, where }: Failure): SentFailure => ({
  code,
  status,
  title,
  retryAfter,
  message,
  where,
})
