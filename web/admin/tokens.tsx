import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { me, tables, users } from '../api/queries.ts'
import { endToken, tokens, tokensOfAll, type TokenResource } from '../api/tokens.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Question } from '../ui/question.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { NewTokenForm } from './new-token.tsx'
import './operation.css'

/** What the service says for no time. */
const NEVER = '0000-00-00 00:00:00'

/** The person's own tokens, or those of all: made, seen and ended. */
export function Tokens({
  isOfAll = false,
  isAsking,
  onAsked,
}: {
  readonly isOfAll?: boolean
  readonly isAsking: boolean
  readonly onAsked: () => void
}) {
  const say = useWords()
  const own = useQuery({ ...tokens, enabled: !isOfAll })
  const ofAll = useQuery({ ...tokensOfAll, enabled: isOfAll })
  const list = isOfAll ? ofAll : own
  const [ending, setEnding] = useState<TokenResource>()
  const [error, setError] = useState<unknown>()
  const shown = (list.data?.data ?? []).filter(({ attributes }) => !attributes.session)
  const nameOf = ({ id, attributes }: TokenResource) => attributes.name || say('tokenNameless', { id })

  function end(one: TokenResource) {
    setEnding(undefined)
    void endToken(one.id).then(() => (setError(undefined), toast(say('tokenEnded', { name: nameOf(one) }))), setError)
  }

  return (
    <>
      {isAsking && <NewTokenForm onClose={onAsked} />}
      {error !== undefined && <Trouble error={error} />}
      {list.error && !list.data ? (
        <Trouble error={list.error} again={() => void list.refetch()} />
      ) : !list.data ? (
        <Skeleton />
      ) : shown.length === 0 ? (
        <p className="quiet">{say(isOfAll ? 'tokensNoneOfAll' : 'tokensNone')}</p>
      ) : (
        <TokenTable all={shown} isOfAll={isOfAll} nameOf={nameOf} onEnd={setEnding} />
      )}
      <p className="quiet ledger-lead">{say('tokensLead')}</p>
      {ending && (
        <Question
          title={say('tokenEndAsk', { name: nameOf(ending) })}
          lost={say('tokenEndLost')}
          yes={say('tokenEndNow')}
          no={say('tokenKeep')}
          onYes={() => end(ending)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </>
  )
}

function TokenTable({
  all,
  isOfAll,
  nameOf,
  onEnd,
}: {
  readonly isOfAll: boolean
  readonly all: readonly TokenResource[]
  readonly nameOf: (one: TokenResource) => string
  readonly onEnd: (one: TokenResource) => void
}) {
  const say = useWords()
  const known = useQuery(tables).data?.data ?? []
  const tableOf = (id: number) => String(known.find((one) => one.id === String(id))?.attributes['table_name'] ?? `#${id}`)
  const people = useQuery(users).data?.data ?? []
  const ownerOf = ({ attributes: { user_id } }: TokenResource) => {
    const owner = people.find(({ id }) => id === String(user_id))?.attributes
    return String(owner?.['fio'] || owner?.['login'] || `#${user_id}`)
  }
  return (
    <table className="ledger">
      <thead>
        <tr>
          <th scope="col">{say('adminName')}</th>
          <th scope="col">{say('tokenMay')}</th>
          <th scope="col">{say('tokenUsed')}</th>
          <th scope="col">{say('tokenEnds')}</th>
          <th scope="col">
            <span className="said">{say('trashActions')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {all.map((one) => (
          <tr key={one.id}>
            <th scope="row">
              {nameOf(one)}
              {isOfAll && <small>{ownerOf(one)}</small>}
            </th>
            <td>
              <span className="pill calm">{say(one.attributes.scope === 'read' ? 'tokenReads' : 'tokenWrites')}</span>
              <small>{one.attributes.tables?.map(tableOf).join(', ') ?? say('tokenAllTables')}</small>
            </td>
            <td>
              <span className="ledger-name">{say('tokenUsed')}</span>
              <When text={one.attributes.last_used} />
            </td>
            <td>
              <span className="ledger-name">{say('tokenEnds')}</span>
              <When text={one.attributes.expires_at} />
            </td>
            <td className="ledger-acts">
              <button
                type="button"
                className="button line small"
                aria-label={say('tokenEndOf', { name: nameOf(one) })}
                onClick={() => onEnd(one)}
              >
                {say('tokenEnd')}
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function When({ text }: { readonly text: string }) {
  const say = useWords()
  return text === NEVER ? <span className="quiet">{say('never')}</span> : <Time text={text} />
}

/** The browsers in which the person is signed in; each but this one can be ended. */
export function Sessions() {
  const say = useWords()
  const list = useQuery(tokens)
  const [error, setError] = useState<unknown>()
  const mine = useQuery(me).data?.data.attributes['token'] as { readonly id: number } | undefined
  const all = (list.data?.data ?? []).filter(({ attributes }) => attributes.session)
  const nameOf = ({ id, attributes }: TokenResource) => attributes.name || say('sessionNameless', { id })
  const end = (one: TokenResource) =>
    void endToken(one.id).then(() => (setError(undefined), toast(say('sessionOut', { name: nameOf(one) }))), setError)
  return (
    <>
      {error !== undefined && <Trouble error={error} />}
      <ul className="sessions">
        {all.map((one) => (
          <li key={one.id} className="row">
            <Icon name="user" />
            <span className="grow">
              <b>{nameOf(one)}</b>
              <small className="quiet">
                <span className="whole">
                  {say('sessionBegan')} <Time text={one.attributes.created} />
                </span>
                {one.attributes.last_used !== NEVER && (
                  <>
                    <span className="only-wide"> · </span>
                    <span className="whole">
                      {say('tokenUsed')} <Time text={one.attributes.last_used} />
                    </span>
                  </>
                )}
              </small>
            </span>
            {one.id === String(mine?.id) ? (
              <span className="pill good">{say('sessionThis')}</span>
            ) : (
              <button
                type="button"
                className="button line small"
                aria-label={say('tokenEndOf', { name: nameOf(one) })}
                onClick={() => end(one)}
              >
                {say('tokenEnd')}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
