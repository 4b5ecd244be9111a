import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { endJob, goesOn, job, type Job } from '../api/jobs.ts'
import { useWords } from '../i18n/words.ts'
import { partOf, ProgressBar } from '../ui/progress-bar.tsx'
import { Trouble } from '../ui/trouble.tsx'

/** A job that converts the values of a field; others go on writing. `onEnd`: undefined where the job is gone. */
export function ConversionJob({ id, onEnd }: { readonly id: string; readonly onEnd: (job: Job | undefined) => void }) {
  const say = useWords()
  const { data, error } = useQuery(job(id))
  const [refused, setRefused] = useState<unknown>()
  useEffect(() => {
    if (data && !goesOn(data)) onEnd(data)
    else if (error && !data) onEnd(undefined)
  }, [data?.state, error])
  if (!data) return null
  const part = partOf(data)
  return (
    <section className="conversion-job" aria-label={say('convertRuns')}>
      <h3>{say('convertRuns')}</h3>
      <ProgressBar job={data} title={say('convertRuns')} />
      <div className="row between">
        <span className="quiet num" role="status">
          {data.cancel_asked ? say('convertCancelling') : part === undefined ? '' : say('convertPart', { percent: Math.floor(part * 100) })}
        </span>
        {!data.cancel_asked && (
          <button type="button" className="button bad" onClick={() => void endJob(id).catch(setRefused)}>
            {say('convertCancel')}
          </button>
        )}
      </div>
      {refused !== undefined && <Trouble error={refused} />}
      <p className="quiet small">{say('convertRunsLead')}</p>
    </section>
  )
}
