import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { endJob, errorsOf, goesOn, jobs, resultOf, type Job } from '../api/jobs.ts'
import { useViewing } from '../api/viewing.ts'
import { act } from '../commands/commands.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { partOf, ProgressBar } from '../ui/progress-bar.tsx'
import { useTakeBack } from '../ui/take-back.ts'
import { Time } from '../ui/time.tsx'
import { Trouble, useTrouble } from '../ui/trouble.tsx'
import { howItIs, jobTitle, refusedBy, tableOf, writtenBy } from './job-words.ts'
import { nameOf, useTargets } from './targets.ts'
import { UndoJob } from './undo-job.tsx'
import './import.css'
import './jobs.css'

const icons: Readonly<Record<Job['kind'], string>> = { import: 'upload', export: 'download', bulk: 'edit', convert: 'columns' }

/** The latest jobs, with how far they are. */
export function JobsPage() {
  const say = useWords()
  const list = useQuery(jobs)
  const [error, setError] = useState<unknown>()
  const takeBack = useTakeBack(useTrouble())
  const isViewing = useViewing() !== undefined
  useEffect(() => (isViewing ? undefined : act('jobs', takeBack)))
  const end = (id: string) => void endJob(id).then(() => setError(undefined), setError)
  return (
    <>
      <Head title={say('jobsTitle')} />
      {!list.data ? (
        list.error ? (
          <div className="page">
            <Trouble error={list.error} again={() => void list.refetch()} />
          </div>
        ) : (
          <Skeleton />
        )
      ) : list.data.length === 0 ? (
        <section className="empty" role="status">
          <h2>{say('jobsNone')}</h2>
          <p>{say('jobsNoneLead')}</p>
        </section>
      ) : (
        <div className="wizard-body">
          {error !== undefined && <Trouble error={error} />}
          <ul className="jobs">
            {list.data.map((job) => (
              <JobLine key={job.id} job={job} onEnd={() => end(job.id)} />
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function JobLine({ job, onEnd }: { readonly job: Job & { readonly id: string }; readonly onEnd: () => void }) {
  const say = useWords()
  const isViewing = useViewing() !== undefined
  const { all } = useTargets()
  const title = jobTitle(say, job, nameOf(all, tableOf(job)))
  const isRunning = goesOn(job)
  const part = partOf(job)
  const bad = refusedBy(job)
  const { word, look } = howItIs(job)
  const written = writtenBy(job)
  return (
    <li className="box job">
      <Icon name={icons[job.kind]} />
      <div className="job-what">
        <div className="row wrap">
          <b>{title}</b>
          <span className={`pill ${look}`}>{say(word)}</span>
          {isRunning && part !== undefined && <span className="quiet num">{say('importPart', { percent: Math.floor(part * 100) })}</span>}
        </div>
        {isRunning && <ProgressBar job={job} title={title} />}
        <div className="row wrap quiet">
          <Time text={job.add_time} />
          {job.file_name !== '' && (
            <span className="cut job-file" title={job.file_name}>
              {job.file_name}
            </span>
          )}
          {written !== undefined && say('records', { count: written })}
          {bad > 0 && <span className="warn">{say('jobRefused', { count: bad })}</span>}
          {job.error && <span className="bad">{told(job.error.detail)}</span>}
        </div>
        <Reasons job={job} refused={bad} />
      </div>
      <div className="row job-acts">
        {job.kind === 'export' && job.state === 'done' && (
          <a className="button line small" href={resultOf(job.id)} download>
            <Icon name="download" />
            {say('jobDownload')}
          </a>
        )}
        {job.kind === 'import' && Number(job.result?.['listed'] ?? 0) > 0 && (
          <a className="button line small" href={errorsOf(job.id)} download>
            <Icon name="download" />
            {say('jobErrors')}
          </a>
        )}
        {job.kind === 'import' && !job.is_trial && (
          <Link className="button line small" to="/import" search={{ job: Number(job.id) }}>
            {say(job.state === 'draft' ? 'jobGoOn' : 'jobShow')}
          </Link>
        )}
        {job.kind === 'bulk' && !isRunning && !isViewing && job.batch_id !== null && (
          <UndoJob job={job.id} table={tableOf(job)} batch={job.batch_id} name={title} />
        )}
        {isViewing ? null : isRunning ? (
          !job.cancel_asked && (
            <button type="button" className="button small bad" aria-label={say('jobCancelOf', { name: title })} onClick={onEnd}>
              {say('importCancel')}
            </button>
          )
        ) : (
          <button
            type="button"
            className="button square small"
            aria-label={say('jobRemove', { name: title })}
            title={say('jobRemove', { name: title })}
            onClick={onEnd}
          >
            <Icon name="x" />
          </button>
        )}
      </div>
    </li>
  )
}

/** Reasons that are shown. */
const MOST_REASONS = 3

/** Why records were refused, the most frequent reason first. */
function Reasons({ job: { result }, refused }: { readonly job: Job; readonly refused: number }) {
  const say = useWords()
  const listed: unknown = result?.['listed']
  if (!Array.isArray(listed) || listed.length === 0) return null
  const reasons = Map.groupBy(listed as readonly { readonly detail: string }[], ({ detail }) => detail)
  const ordered = [...reasons].toSorted(([, one], [, other]) => other.length - one.length)
  return (
    <div className="job-why">
      {refused > listed.length && <span className="quiet">{say('jobWhyFirst', { count: listed.length })}</span>}
      <ul>
        {ordered.slice(0, MOST_REASONS).map(([detail, those]) => (
          <li key={detail}>
            {told(detail)} <span className="quiet">{say('records', { count: those.length })}</span>
          </li>
        ))}
      </ul>
      {ordered.length > MOST_REASONS && <span className="quiet">{say('jobWhyMore', { count: ordered.length - MOST_REASONS })}</span>}
    </div>
  )
}
