import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { changed, historyOf, restoreVersion } from '../api/records.ts'
import { didChange } from '../api/undo.ts'
import { users } from '../api/queries.ts'
import { plainText, shownDateTime } from '../fields/plain.ts'
import { showValue } from '../fields/types.ts'
import type { Document, Resource } from '../api/client.ts'
import type { Field } from '../fields/field.ts'
import { useTitles } from '../fields/titles.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Initials } from '../ui/initials.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useUndoOf } from '../ui/take-back.ts'
import { toast, toastRefusal } from '../ui/toast.tsx'
import { Trouble, useTrouble } from '../ui/trouble.tsx'

type Moves = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>

/** Who changed what, and when; each change can be gone back to. */
export function History({
  table,
  id,
  fields,
  known,
  mayRestore,
}: {
  readonly table: number
  readonly id: string
  readonly fields: readonly Field[]
  /** Of the record itself: its references have their titles. */
  readonly known: Document<Resource>
  readonly mayRestore: boolean
}) {
  const say = useWords()
  const trouble = useTrouble()
  const undoOf = useUndoOf(trouble)
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(historyOf(table, id))
  const changes = data?.pages.flatMap((page) => page.data) ?? []
  const held = changes.flatMap(({ attributes }) => {
    const moves = Object.entries((attributes['changes'] ?? {}) as Moves)
    return (['from', 'to'] as const).map((side) => Object.fromEntries(moves.map(([name, move]) => [name, move[side]])))
  })
  const titleOf = useTitles(known, fields, held)
  const people = useQuery(users).data?.data ?? []
  const nameOf = (user: number) => {
    const one = people.find((person) => person.id === String(user))
    return user === 0 ? say('theService') : String(one?.attributes['fio'] || one?.attributes['login'] || say('userNumber', { id: user }))
  }
  const restore = async (change: string, attributes?: readonly string[]) => {
    try {
      const { data: now } = await restoreVersion(table, id, change, attributes)
      const other = fields.find(({ name }) => now.attributes[name] !== known.data.attributes[name])
      const act = other && didChange(table, id, other.name, Promise.resolve(now.attributes[other.name]))
      await changed(table)
      toast(say('restored'), act && undoOf(act))
    } catch (failure) {
      toastRefusal(trouble(failure))
    }
  }
  if (error) return <Trouble error={error} again={() => void refetch()} />
  if (!data) return <Skeleton />
  return (
    <ol className="history" aria-label={say('history')}>
      {changes.map(({ id: change, attributes }, i) => {
        const moves = Object.entries((attributes['changes'] ?? {}) as Moves).flatMap(([name, move]) => {
          const field = fields.find((one) => one.name === name)
          return field ? [{ field, move }] : []
        })
        const action = String(attributes['action'])
        return (
          <li key={change}>
            <Initials name={nameOf(Number(attributes['user_id']))} />
            <div className="grow">
              <b>{nameOf(Number(attributes['user_id']))}</b>{' '}
              <span className="quiet">
                {say(ACTIONS[action] ?? 'didUpdate')}
                {attributes['via'] === 'import' && `, ${say('byImport')}`}
                {attributes['via'] === 'undo' && `, ${say('byUndo')}`}
              </span>{' '}
              <time dateTime={String(attributes['made_at'])} className="quiet">
                {shownDateTime(String(attributes['made_at']))}
              </time>
              {action === 'update' && moves.length === 0 && <div className="quiet">{say('fieldGone')}</div>}
              {action !== 'create' &&
                moves.map(({ field, move }) => (
                  <div className="move" key={field.id}>
                    <span className="quiet">{field.title}</span>
                    <del title={plainText(field, move.from)}>
                      <span className="said">{say('before')} </span>
                      {showValue(field, move.from, titleOf) ?? say('empty')}
                    </del>
                    <Icon name="chevron-right" size="s" />
                    <ins>{showValue(field, move.to, titleOf) ?? say('empty')}</ins>
                    {mayRestore && i > 0 && moves.length > 1 && field.maySet && (
                      <button
                        type="button"
                        className="button square small"
                        aria-label={say('restoreField', { name: field.title })}
                        title={say('restoreField', { name: field.title })}
                        onClick={() => void restore(change, [field.name])}
                      >
                        <Icon name="restore" />
                      </button>
                    )}
                  </div>
                ))}
            </div>
            {mayRestore && i > 0 && action !== 'delete' && (
              <button type="button" className="button small" onClick={() => void restore(change)}>
                <Icon name="restore" />
                <span>{say('restoreVersion')}</span>
              </button>
            )}
          </li>
        )
      })}
      {hasNextPage && (
        <li className="all">
          <button type="button" className="button line" onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
            {say('showMore')}
          </button>
        </li>
      )}
    </ol>
  )
}

const ACTIONS = { create: 'didCreate', update: 'didUpdate', delete: 'didDelete', restore: 'didRestore', convert: 'didConvert' } as Readonly<
  Record<string, 'didCreate' | 'didUpdate' | 'didDelete' | 'didRestore' | 'didConvert'>
>
