import type { Job } from '../api/jobs.ts'
import type { Message } from '../i18n/messages.ts'
import type { say } from '../i18n/words.ts'

export const stateWords: Readonly<Record<Job['state'], Message>> = {
  draft: 'jobDraft',
  queued: 'jobQueued',
  running: 'jobRuns',
  done: 'jobDone',
  failed: 'jobFailed',
  cancelled: 'jobCancelled',
  interrupted: 'jobInterrupted',
}

/** A trial of an import has counted lines and has changed nothing. */
export const isTrial = ({ kind, state, table_id, batch_id, result }: Job): boolean =>
  kind === 'import' &&
  state === 'done' &&
  batch_id === null &&
  Number(result?.['read'] ?? 0) > 0 &&
  // A run that was to make a table has made it, also where each of its lines was refused.
  (Number(result?.['imported'] ?? 0) > 0 || (table_id === 0 && Number(result?.['table_id'] ?? 0) === 0))

/** The table that a job is about, also one that it made; 0: none. */
export const tableOf = ({ table_id, result }: Job): number => table_id || Number(result?.['table_id'] ?? 0)

/** What a job is, in words. `name`: of its table; '' where there is none. */
export function jobTitle(words: typeof say, job: Job, name: string): string {
  const table = { name: name === '' ? words('jobTableGone') : name }
  if (job.kind === 'export') return words('jobExport', table)
  if (job.kind === 'bulk') return words('jobBulk', table)
  if (job.kind === 'convert') return words('jobConvert', table)
  if (isTrial(job)) return words('jobTrial')
  return job.table_id === 0 && name === '' ? words('jobImportNew') : words('jobImport', table)
}
