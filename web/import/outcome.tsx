import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { errorsOf, goesOn, tablesOfBatch, type Job, type Undone } from '../api/jobs.ts'
import { undoImport } from '../api/imports.ts'
import { queries, tables } from '../api/queries.ts'
import { undoingJob } from '../api/undo.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { Progress } from './progress.tsx'

/** An import that has begun: how far it is, then what it did and how it is taken back. */
export function Outcome({ job, name }: { readonly job: Job & { readonly id: string }; readonly name: string | undefined }) {
  const say = useWords()
  const isRunning = goesOn(job)
  // Tables and their numbers of records are others now.
  useEffect(() => {
    if (!isRunning) for (const key of ['table', 'field', 'count', 'records']) void queries.invalidateQueries({ queryKey: [key] })
  }, [isRunning])
  return (
    <div className="wizard-body">
      {isRunning ? <Progress job={job} title={say('importRunning')} hint={say('importLeave')} /> : <Ended job={job} name={name} />}
    </div>
  )
}

function Ended({ job, name }: { readonly job: Job & { readonly id: string }; readonly name: string | undefined }) {
  const say = useWords()
  const table = useTableOf(job, name)
  const [undone, setUndone] = useState<Undone & { readonly isTableGone: boolean }>()
  const [isUndoing, setUndoing] = useState(false)
  const [error, setError] = useState<unknown>()
  const count = (of: string) => Number(job.result?.[of] ?? 0)
  const isDone = job.state === 'done'
  const [imported, updated, bad, incomplete] = [count('imported'), count('updated'), count('bad'), count('incomplete')]
  const batch = job.batch_id

  async function undo(): Promise<void> {
    setUndoing(true)
    try {
      const undoing = undoImport(batch!, job.table_id === 0 ? table : undefined)
      setUndone(await (table === undefined ? undoing : undoingJob(table, job.id, undoing)))
      setError(undefined)
    } catch (failure) {
      setError(failure)
    } finally {
      setUndoing(false)
    }
  }

  if (undone)
    return (
      <section className="box run centred" aria-label={say('importTitle')}>
        <div role="status">
          <h2>{say('importUndone')}</h2>
        </div>
        <p className="quiet">
          {undone.isTableGone ? (
            <>
              {say('importUndoneTable')}{' '}
              <Link className="text-link" to="/trash" search={{ kind: 'table' }}>
                {say('trashTitle')}
              </Link>
            </>
          ) : (
            say('importUndoneRecords', { count: undone.records })
          )}
        </p>
        {undone.conflicts > 0 && (
          <p className="note warn">
            <Icon name="warn" />
            {say('importConflicts', { count: undone.conflicts })}
          </p>
        )}
        <div className="row wrap">
          {table !== undefined && !undone.isTableGone && (
            <Link className="button primary" to="/t/$table" params={{ table: String(table) }}>
              {say('importOpen')}
            </Link>
          )}
          <Link className="button line" to="/import" search={{}}>
            {say('importMore')}
          </Link>
        </div>
      </section>
    )
  return (
    <section className="box run centred" aria-label={say('importTitle')}>
      {isDone && imported > 0 && (
        <span className="done-icon" aria-hidden="true">
          <Icon name="check" size="l" />
        </span>
      )}
      <div role="status">
        <h2>
          {isDone ? say('importDone', { count: imported }) : job.state === 'cancelled' ? say('importCancelled') : say('importStopped')}
        </h2>
        {job.state === 'failed' && job.error && <p className="why">{told(job.error.detail)}</p>}
      </div>
      {!isDone && <p className="quiet">{say('importStayed', { count: imported })}</p>}
      {updated > 0 && <p className="quiet">{say('importDoneParts', { created: imported - updated, updated })}</p>}
      {bad > 0 && (
        <div className="note warn">
          <Icon name="warn" />
          <span className="grow">{say('importBadParts', { count: bad })}</span>
          <a className="button line small" href={errorsOf(job.id)} download>
            <Icon name="download" />
            {say('errorFile')}
          </a>
        </div>
      )}
      {incomplete > 0 && <p className="note">{say('importIncomplete', { count: incomplete })}</p>}
      {error !== undefined && <Trouble error={error} />}
      <div className="row wrap">
        {table !== undefined && (
          <Link className="button primary" to="/t/$table" params={{ table: String(table) }}>
            {say('importOpen')}
          </Link>
        )}
        <Link className="button line" to="/import" search={job.table_id === 0 ? {} : { table: job.table_id }}>
          {say('importMore')}
        </Link>
        {batch !== null && (
          <button type="button" className="button push" disabled={isUndoing} onClick={() => void undo()}>
            <Icon name="undo" />
            {say(isUndoing ? 'importUndoing' : 'importUndo')}
          </button>
        )}
      </div>
      {batch !== null && <p className="quiet">{say('importUndoHint')}</p>}
    </section>
  )
}

/** The table of an import; one that it has made is known by its records, or by its name where there is none. */
function useTableOf({ table_id, batch_id, result }: Job, name: string | undefined): number | undefined {
  const isMade = table_id === 0
  const told = Number(result?.['table_id'] ?? 0)
  // A job of an older version does not tell the table that it made.
  const isAsked = isMade && told === 0 && batch_id !== null
  const changed = useQuery({ queryKey: ['batch', batch_id], queryFn: () => tablesOfBatch(batch_id!), enabled: isAsked })
  const all = useQuery({ ...tables, enabled: isMade })
  if (!isMade) return table_id
  const named = all.data?.data.find(({ attributes }) => attributes['table_name'] === name)
  if (told !== 0) return told
  return changed.data?.[0] ?? (named ? Number(named.id) : undefined)
}
