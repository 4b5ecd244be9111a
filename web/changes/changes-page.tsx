import { useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { batchesOf, undoersSeen, type Batch } from '../api/batches.ts'
import { cursorOf, type Resource } from '../api/client.ts'
import { me, users } from '../api/queries.ts'
import { useViewing } from '../api/viewing.ts'
import { act } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { NewerOlder } from '../ui/newer-older.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useTakeBack } from '../ui/take-back.ts'
import { Trouble, useTrouble } from '../ui/trouble.tsx'
import { wayWords } from './change-words.ts'
import { ChangeLine } from './change-line.tsx'
import { useOneChanges } from './one-record.tsx'
import type { ChangesSearch } from './search.ts'
import './changes.css'

/** What was done to records, each deed with its undo; administrators see that of others too. */
export function ChangesPage() {
  const say = useWords()
  const navigate = useNavigate()
  const asked = useSearch({ from: '/framed/changes' })
  const person = useQuery(me).data?.data
  const isAdministrator = isOf(person, 'table')
  const who = isAdministrator ? asked.who : undefined
  const people = useQuery({ ...users, enabled: isAdministrator }).data?.data ?? []
  const user = who === 'all' ? undefined : (who ?? Number(person?.id))
  const { after, before } = asked
  const list = useQuery({ ...batchesOf({ user, after, before }), enabled: person !== undefined, placeholderData: (last) => last })
  // What the person may not see any more is nothing to them.
  const batches = list.data?.data.filter(({ attributes }) => attributes.records > 0) ?? []
  const ones = useOneChanges(batches)
  const undoers = batches.flatMap(({ attributes: { undone_by: by } }) => by ?? [])
  const seen = useQuery({ ...undoersSeen(undoers), enabled: undoers.length > 0 && !isAdministrator }).data
  const mayRedo = (by: number | null) => by !== null && (isAdministrator || seen?.has(by) === true)
  const isViewing = useViewing() !== undefined
  const takeBack = useTakeBack(useTrouble())
  useEffect(() => (isViewing ? undefined : act('changes', takeBack)))
  const older = cursorOf(list.data?.links?.['next'], 'after')
  const newer = cursorOf(list.data?.links?.['prev'], 'before')
  const doer = ({ user_id, via }: Batch) => {
    const one = people.find(({ id }) => id === String(user_id))?.attributes
    if (user_id !== 0) return String(one?.['fio'] || one?.['login'] || `#${user_id}`)
    return wayWords[via] && via !== 'import' ? undefined : say('auditCommandLine')
  }
  const go = (next: ChangesSearch) => void navigate({ to: '/changes', search: { ...asked, after: undefined, before: undefined, ...next } })
  return (
    <>
      <Head title={say('changesTitle')}>
        {isAdministrator && !isViewing && (
          <Whose people={people.filter(({ id }) => id !== person?.id)} who={who} onChoose={(next) => go({ who: next })} />
        )}
      </Head>
      <div className={`changes-body${list.isPlaceholderData ? ' is-old' : ''}`} aria-busy={list.isPlaceholderData}>
        <p className="quiet">{say('changesLead')}</p>
        {list.error && !list.data ? (
          <Trouble error={list.error} again={() => void list.refetch()} />
        ) : !list.data ? (
          <Skeleton />
        ) : batches.length === 0 && older === undefined && newer === undefined ? (
          <section className="empty" role="status">
            <h2>{say('changesNone')}</h2>
            {who === undefined && <p>{say('changesNoneLead')}</p>}
          </section>
        ) : (
          <ol className="changes" aria-label={say('changesTitle')}>
            {batches.map((batch) => (
              <ChangeLine
                key={batch.id}
                batch={batch}
                one={ones.get(batch.id)}
                by={who === undefined ? undefined : doer(batch.attributes)}
                mayTurn={!isViewing && (batch.attributes.undone_by === null || mayRedo(batch.attributes.undone_by))}
              />
            ))}
          </ol>
        )}
        <NewerOlder
          label={say('changesPages')}
          onNewer={newer === undefined ? undefined : () => go({ before: newer })}
          onOlder={older === undefined ? undefined : () => go({ after: older })}
        />
      </div>
    </>
  )
}

const isOf = (person: Resource | undefined, type: string): boolean =>
  ((person?.attributes['administers'] ?? []) as readonly string[]).includes(type)

function Whose({
  people,
  who,
  onChoose,
}: {
  readonly people: readonly Resource[]
  readonly who: ChangesSearch['who']
  readonly onChoose: (who: ChangesSearch['who']) => void
}) {
  const say = useWords()
  return (
    <Select
      name={say('changesWhose')}
      value={String(who ?? '')}
      onChoose={(value) => onChoose(value === '' ? undefined : value === 'all' ? value : Number(value))}
    >
      <option value="">{say('changesMine')}</option>
      <option value="all">{say('changesAll')}</option>
      <option value="0">{say('changesNobody')}</option>
      {people.map(({ id, attributes }) => (
        <option key={id} value={id}>
          {String(attributes['fio'] || attributes['login'])}
        </option>
      ))}
    </Select>
  )
}
