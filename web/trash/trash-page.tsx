import { useState } from 'react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Resource } from '../api/client.ts'
import { me, tables, users } from '../api/queries.ts'
import { erase, isBarredIn, restore, trash, type TrashKind } from '../api/trash.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Choice } from '../ui/choice.tsx'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Question } from '../ui/question.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { Trouble } from '../ui/trouble.tsx'
import './trash.css'

const icons: Readonly<Record<TrashKind, string>> = { record: 'file', field: 'columns', table: 'grid' }
const brings: Readonly<Record<TrashKind, Message>> = { record: 'trashBringsRecord', field: 'trashBringsField', table: 'trashBringsTable' }
const loses: Readonly<Record<TrashKind, Message>> = { record: 'trashLosesRecord', field: 'trashLosesField', table: 'trashLosesTable' }

/** What was deleted: it is restored, or erased for ever. */
export function TrashPage() {
  const say = useWords()
  const bringsBack = useBringsBack()
  const navigate = useNavigate()
  const { kind } = useSearch({ from: '/framed/trash' })
  const list = useInfiniteQuery(trash(kind))
  const person = useQuery(me).data?.data
  const known = useQuery(tables).data?.data ?? []
  const people = useQuery(users).data?.data ?? []
  const [asked, setAsked] = useState<Resource>()
  const [error, setError] = useState<unknown>()
  const [told, setTold] = useState('')
  const mayErase = ((person?.attributes['administers'] ?? []) as readonly string[]).includes('trash')
  const entries = list.data?.pages.flatMap(({ data }) => data) ?? []
  const titleOf = ({ attributes }: Resource) =>
    String(attributes['title']) === '' ? say('trashNameless', { id: Number(attributes['item_id']) }) : String(attributes['title'])
  const tableOf = ({ attributes }: Resource) => known.find(({ id }) => id === String(attributes['table_id']))
  // What is of a table in the trash waits for that table.
  const mayRestore = (entry: Resource) =>
    entry.attributes['kind'] === 'table'
      ? mayErase
      : tableOf(entry) !== undefined &&
        (mayErase || (entry.attributes['kind'] === 'record' && !isBarredIn(entry) && tableOf(entry)?.meta?.access?.['delete'] === true))
  // What is of a table that is erased is erased with it; who administers the trash sees all other tables.
  const whereOf = (entry: Resource) =>
    entry.attributes['kind'] === 'table'
      ? ''
      : String(tableOf(entry)?.attributes['table_name'] ?? say(mayErase ? 'trashTableThere' : 'jobTableGone'))
  const whoOf = ({ attributes }: Resource) => {
    const who = people.find(({ id }) => id === String(attributes['user_id']))?.attributes
    return attributes['user_id'] === 0 ? say('auditCommandLine') : String(who?.['fio'] || who?.['login'] || '')
  }

  function finish(work: Promise<void>, word: Message, entry: Resource): void {
    setAsked(undefined)
    const name = titleOf(entry)
    void work.then(() => (setError(undefined), setTold(say(word, { name }))), setError)
  }

  return (
    <>
      <Head title={say('trashTitle')} />
      <div className="trash">
        <Choice
          name={say('trashShow')}
          value={kind ?? 'all'}
          options={[
            ['all', say('trashAll')],
            ['record', say('trashRecords')],
            ['field', say('trashFields')],
            ['table', say('trashTables')],
          ]}
          onChoose={(chosen) => void navigate({ to: '/trash', search: { kind: chosen === 'all' ? undefined : chosen } })}
        />
        <p role="status" className={told === '' ? 'said' : 'note'}>
          {told}
        </p>
        {error !== undefined && <Trouble error={error} />}
        {list.error && !list.data ? (
          <Trouble error={list.error} again={() => void list.refetch()} />
        ) : !list.data ? (
          <Skeleton />
        ) : entries.length === 0 ? (
          <section className="empty">
            <h2>{say('trashEmpty')}</h2>
            <p>{say('trashEmptyLead')}</p>
          </section>
        ) : (
          <table className="box trash-list">
            <thead>
              <tr>
                <th scope="col">{say('trashWhat')}</th>
                <th scope="col">{say('trashWhere')}</th>
                <th scope="col">{say('trashBrings')}</th>
                <th scope="col">{say('trashWhen')}</th>
                <th scope="col">{say('trashWho')}</th>
                <th scope="col">
                  <span className="said">{say('trashActions')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.id}>
                  <th scope="row">
                    <span className="trash-title">
                      <Icon name={icons[entry.attributes['kind'] as TrashKind]} />
                      <span className="cut">{titleOf(entry)}</span>
                    </span>
                  </th>
                  <td>
                    <span className="clamp">{whereOf(entry)}</span>
                  </td>
                  <td>
                    {say(brings[entry.attributes['kind'] as TrashKind])}
                    <small className="trash-back">{bringsBack(entry)}</small>
                  </td>
                  <td>
                    <Time text={String(entry.attributes['deleted'])} />
                  </td>
                  <td>
                    <span className="clamp">{whoOf(entry)}</span>
                  </td>
                  <td>
                    <span className="row">
                      {mayRestore(entry) && (
                        <button
                          type="button"
                          className="button line small"
                          aria-label={say('trashRestoreOf', { name: titleOf(entry) })}
                          onClick={() => finish(restore(entry.id), 'trashRestored', entry)}
                        >
                          <Icon name="restore" />
                          {say('trashRestore')}
                        </button>
                      )}
                      {mayErase && (
                        <button
                          type="button"
                          className="button small bad"
                          aria-label={say('trashEraseOf', { name: titleOf(entry) })}
                          onClick={() => setAsked(entry)}
                        >
                          {say('trashErase')}
                        </button>
                      )}
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {list.hasNextPage && (
          <button type="button" className="button line" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {say('trashMore')}
          </button>
        )}
      </div>
      {asked && (
        <Question
          title={say('trashEraseAsk', { name: titleOf(asked) })}
          lost={say(loses[asked.attributes['kind'] as TrashKind])}
          counts={bringsBack(asked)}
          yes={say('trashEraseNow')}
          no={say('trashKeep')}
          onYes={() => finish(erase(asked.id), 'trashErased', asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** Numbers that are counted no further. */
const bounds: Readonly<Record<string, number>> = { referring: 100, files: 1_000 }
const counts = [
  ['records', 'trashRecordsBack'],
  ['values', 'trashValuesBack'],
  ['fields', 'trashFieldsBack'],
  ['files', 'trashFilesBack'],
  ['links', 'trashLinksBack'],
  ['referring', 'trashReferringBack'],
] as const

function useBringsBack(): (entry: Resource) => string {
  const say = useWords()
  return ({ attributes }) => {
    const back = (attributes['brings_back'] ?? {}) as Readonly<Record<string, number>>
    const told = counts.flatMap(([key, word]) => {
      const count = back[key]
      const hasMore = key === 'values' && 'more' in back
      // Among those that were looked at there is none; there may be some among the others.
      if (count === 0 && hasMore) return [say('trashValuesUnknown')]
      // What there is none of is not told.
      if (!count) return []
      return [count === bounds[key] || hasMore ? say('trashAtLeast', { text: say(word, { count }) }) : say(word, { count })]
    })
    return told.join(' · ')
  }
}
