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

/** The table that a job is about, also one that it made; 0: none. */
export const tableOf = ({ table_id, result }: Job): number => table_id || Number(result?.['table_id'] ?? 0)

/** What a job is, in words. `name`: of its table; '' where there is none. */
export function jobTitle(words: typeof say, job: Job, name: string): string {
  const table = { name: name === '' ? words('jobTableGone') : name }
  if (job.kind === 'export') return words('jobExport', table)
  if (job.kind === 'bulk') return words('jobBulk', table)
  if (job.kind === 'convert') return words('jobConvert', table)
  if (job.is_trial) return name === '' ? words('jobTrial') : words('jobTrialInto', table)
  return job.table_id === 0 && name === '' ? words('jobImportNew') : words('jobImport', table)
}
