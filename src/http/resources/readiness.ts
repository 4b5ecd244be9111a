import { ROOM, readiness } from '../../store/upkeep/readiness.ts'
import type { Watching } from '../routing/probe.ts'

/** Why no requests should be sent to this process, as a word for programs and a sentence; it tells nothing about the data. */
export interface Reason {
  readonly reason: keyof typeof sentences
  readonly detail: string
}

const sentences = {
  starting: 'The service is starting.',
  stopping: 'The service is stopping.',
  database: 'The database does not answer.',
  migrations: 'The database is not of the version of this program.',
  moved: 'The database is being moved, or was moved to another place.',
  files: 'The storage of files does not answer, or refuses what it is asked.',
  disk: `The disk of the data directory has less than ${ROOM / 2 ** 20} MiB left, or does not answer. Writes may be refused.`,
} as const

/** Undefined: it is ready. */
export async function readinessOf({ store, isStopping }: Pick<Watching, 'store' | 'isStopping'>): Promise<Reason | undefined> {
  const reason = isStopping ? 'stopping' : store ? await readiness(store)() : 'starting'
  return reason && { reason, detail: sentences[reason] }
}
