import { useState } from 'react'
import { endJob, type Job } from '../api/jobs.ts'
import { useWords } from '../i18n/words.ts'
import { Trouble } from '../ui/trouble.tsx'

/** How far a job is; 0 to 1, or undefined where nobody knows. */
export const partOf = ({ done, total }: Pick<Job, 'done' | 'total'>): number | undefined =>
  total === null ? undefined : total === 0 ? 1 : Math.min(1, done / total)

export function ProgressBar({ job, title }: { readonly job: Job; readonly title: string }) {
  const part = partOf(job)
  const percent = part === undefined ? undefined : Math.floor(part * 100)
  return (
    <div className="progress" role="progressbar" aria-label={title} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
      {part === undefined ? <i className="unknown" /> : <i style={{ width: `${part * 100}%` }} />}
    </div>
  )
}

/** A job that goes on; it can be left and cancelled. */
export function Progress({
  job,
  title,
  hint,
}: {
  readonly job: Job & { readonly id: string }
  readonly title: string
  readonly hint?: string
}) {
  const say = useWords()
  const [error, setError] = useState<unknown>()
  const part = partOf(job)
  return (
    <section className="box run centred" aria-label={title}>
      <h2>{title}</h2>
      <ProgressBar job={job} title={title} />
      <div className="row">
        <span className="quiet" role="status">
          {job.cancel_asked
            ? say('importCancelling')
            : job.state === 'queued'
              ? say('importQueued')
              : part === undefined
                ? say('importLinesDone', { count: job.done })
                : say('importPart', { percent: Math.floor(part * 100) })}
        </span>
        {!job.cancel_asked && (
          <button type="button" className="button bad push" onClick={() => void endJob(job.id).catch(setError)}>
            {say('importCancel')}
          </button>
        )}
      </div>
      {error !== undefined && <Trouble error={error} />}
      {hint !== undefined && <p className="quiet">{hint}</p>}
    </section>
  )
}
