import type { Job } from '../api/jobs.ts'
import type { Message } from '../i18n/messages.ts'
import type { say } from '../i18n/words.ts'

const stateWords: Readonly<Record<Job['state'], Message>> = {
  draft: 'jobDraft',
  queued: 'jobQueued',
  running: 'jobRuns',
  done: 'jobDone',
  failed: 'jobFailed',
  cancelled: 'jobCancelled',
  interrupted: 'jobInterrupted',
}

const looks: Readonly<Partial<Record<Job['state'], string>>> = { done: 'good', failed: 'bad', interrupted: 'bad', draft: 'accent' }
const nothing: Readonly<Partial<Record<Job['kind'], Message>>> = { import: 'jobNoneImported', bulk: 'jobNoneChanged' }

/** What it refused: lines of a file, or records. */
export const refusedBy = ({ result }: Pick<Job, 'result'>): number => Number(result?.['bad'] ?? result?.['refused'] ?? 0)

/** What it has written; undefined: it does not tell. */
export function writtenBy({ kind, result }: Pick<Job, 'kind' | 'result'>): number | undefined {
  const of = result?.[kind === 'import' ? 'imported' : 'records']
  return of === undefined ? undefined : Number(of)
}

/** How a job is, in words, and the look of these. One that has ended with all refused has done nothing. */
export function howItIs(job: Job): { readonly word: Message; readonly look: string } {
  const none = nothing[job.kind]
  if (job.state === 'done' && none && refusedBy(job) > 0 && writtenBy(job) === 0)
    return { word: job.is_trial ? 'jobAllRefused' : none, look: 'bad' }
  return { word: stateWords[job.state], look: looks[job.state] ?? '' }
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
