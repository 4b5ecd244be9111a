import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { isUndone, undoBatch } from '../api/jobs.ts'
import { undoingJob } from '../api/undo.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { toast, toastRefusal } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'

/** Takes back all changes that a job has made in a table, as one. `name`: of the job. */
export function UndoJob({
  job,
  table,
  batch,
  name,
}: {
  readonly job: string
  readonly table: number
  readonly batch: number
  readonly name: string
}) {
  const say = useWords()
  const trouble = useTrouble()
  const [is, setIs] = useState<'open' | 'busy' | 'done'>('open')
  const known = useQuery(isUndone(batch))
  const undo = async () => {
    setIs('busy')
    try {
      const { records: count, conflicts } = await undoingJob(table, job, undoBatch(batch))
      setIs('done')
      toast(say(conflicts > 0 ? 'jobUndoneBut' : 'jobUndone', { count }))
    } catch (error) {
      setIs('open')
      toastRefusal(trouble(error))
    }
  }
  if (is === 'done' || known.data !== false) return null
  return (
    <button
      type="button"
      className="button line small"
      aria-label={say('jobUndoOf', { name })}
      aria-disabled={is === 'busy'}
      onClick={() => is === 'open' && void undo()}
    >
      <Icon name="undo" />
      {say(is === 'busy' ? 'jobUndoing' : 'jobUndo')}
    </button>
  )
}
