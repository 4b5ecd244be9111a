import { Failure } from '../../errors.ts'
import { Abandoned } from '../model/asker.ts'
import { Stale } from '../model/stale.ts'

/** Told of an error in work that no request waits for; the log shows `what` happened, with the error as its cause. */
export type OnFault = (what: string, error: unknown) => void

/**
 * Handles the rejection of work that no request waits for. A Failure (the disk is full, the database is away) is dropped:
 * requests meet it as well and report it.
 */
export const reportTo =
  (onFault: OnFault, what: string) =>
  (error: unknown): void => {
    if (!(error instanceof Failure || error instanceof Abandoned || error instanceof Stale)) onFault(what, error)
  }
