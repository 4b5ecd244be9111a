import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { turn, type Batch, type BatchResource } from '../api/batches.ts'
import type { Undone } from '../api/jobs.ts'
import { allFields, tables } from '../api/queries.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Time } from '../ui/time.tsx'
import { toast, toastRefusal } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import { OneMoves, OneRecord, type OneChange } from './one-record.tsx'
import { actWord, isForGood, mayTurnIn, wayWords } from './change-words.ts'

/** One deed: what was done to how many records of which tables, when, and the way back. `by`: who it was, where it was not the person. */
export function ChangeLine({
  batch,
  one,
  by,
  mayTurn,
}: {
  readonly batch: BatchResource
  /** Where it was one record: which, and what of it. */
  readonly one: OneChange | undefined
  readonly by: string | undefined
  readonly mayTurn: boolean
}) {
  const say = useWords()
  const trouble = useTrouble()
  const known = useQuery(tables).data?.data ?? []
  const [isBusy, setBusy] = useState(false)
  const [left, setLeft] = useState<Undone>()
  const { made_at, via, records, actions, undone_by } = batch.attributes
  const isUndone = undone_by !== null
  const what = say(actWord(actions), { count: records })
  const of = batch.attributes.tables.map((id) => ({
    id: String(id),
    name: String(known.find((one) => one.id === String(id))?.attributes['table_name'] ?? say('jobTableGone')),
  }))
  const name = [what, ...of.map((table) => table.name), ...(one?.title === undefined ? [] : [one.title])].join(', ')
  const way = wayWords[via]
  const go = async () => {
    setBusy(true)
    try {
      const done = await turn(batch)
      const words = isUndone ? (['changesRedone', 'changesRedoneBut'] as const) : (['jobUndone', 'changesUndoneBut'] as const)
      toast(say(words[done.conflicts > 0 ? 1 : 0], { count: done.records }))
      setLeft(done.conflicts > 0 ? done : undefined)
    } catch (error) {
      toastRefusal(trouble(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <li className="box change-line" data-undone={isUndone || undefined}>
      <Icon name={isUndone ? 'undo' : iconOf(batch.attributes)} />
      <div className="change-what">
        <div className="row wrap">
          <b>{what}</b>
          {of.map(({ id, name: table }) => (
            <Link key={id} className="ref cut" to="/t/$table" params={{ table: id }}>
              {table}
            </Link>
          ))}
          {one && <OneRecord one={one} />}
          {isUndone && <span className="pill">{say('changesUndone')}</span>}
        </div>
        {one && <OneMoves one={one} />}
        <div className="row wrap quiet">
          <Time text={made_at} />
          {by !== undefined && <span>{by}</span>}
          {way && <span>{say(way)}</span>}
        </div>
        {left && <Left undone={left} />}
      </div>
      {mayTurn && !isForGood(batch.attributes) && known.some((table) => mayTurnIn(batch.attributes, table)) && (
        <button
          type="button"
          className="button line small"
          aria-label={say(isUndone ? 'changesRedoOf' : 'changesUndoOf', { name })}
          aria-disabled={isBusy}
          onClick={() => void (isBusy || go())}
        >
          <Icon name={isUndone ? 'restore' : 'undo'} />
          {say(isBusy ? 'jobUndoing' : isUndone ? 'redo' : 'undo')}
        </button>
      )}
    </li>
  )
}

function iconOf({ via, actions }: Batch): string {
  if (via === 'import') return 'upload'
  if (actions.includes('delete')) return 'trash'
  return actions.every((one) => one === 'create') ? 'plus' : 'edit'
}

/** Records that are named of those that stay. */
const MOST = 10

/** What stays as it is, and why. */
function Left({ undone: { conflicts, listed } }: { readonly undone: Undone }) {
  const say = useWords()
  const fields = useQuery(allFields).data?.data ?? []
  const titleOf = (attribute: string | null) =>
    attribute === null ? undefined : fields.find(({ id }) => `f${id}` === attribute)?.attributes['field_name']
  const shown = listed.slice(0, MOST)
  return (
    <div className="change-left" role="status">
      <span className="warn">{say('changesLeft', { count: conflicts })}</span>
      <ul>
        {shown.map(({ table_id, record_id, attribute, detail }, i) => (
          <li key={i}>
            <Link className="ref" to="/t/$table/$record" params={{ table: String(table_id), record: String(record_id) }}>
              {say('record', { id: record_id })}
            </Link>
            {titleOf(attribute) !== undefined && <span> · {String(titleOf(attribute))}</span>} <span>{told(detail)}</span>
          </li>
        ))}
      </ul>
      {conflicts > shown.length && <span className="quiet">{say('changesLeftMore', { count: conflicts - shown.length })}</span>}
    </div>
  )
}
