import { useState } from 'react'
import { endJob, type Job } from '../api/jobs.ts'
import { useWords } from '../i18n/words.ts'
import { partOf, ProgressBar } from '../ui/progress-bar.tsx'
import { Trouble } from '../ui/trouble.tsx'

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
