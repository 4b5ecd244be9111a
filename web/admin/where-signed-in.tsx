import { useQuery } from '@tanstack/react-query'
import { tokensOf } from '../api/people.ts'
import { me } from '../api/queries.ts'
import { endToken } from '../api/tokens.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { useDoing } from './use-doing.ts'

/** What the service says for no time. */
const NEVER = '0000-00-00 00:00:00'

/** The browsers and programs that are signed in as a user; each can be ended. */
export function WhereSignedIn({ user }: { readonly user: string }) {
  const say = useWords()
  const doing = useDoing()
  const list = useQuery(tokensOf(user))
  const mine = useQuery(me).data?.data.attributes['token'] as { readonly id: number } | undefined
  const all = list.data?.data ?? []
  return (
    <section className="admin-form">
      <h3>{say('userSignedIn')}</h3>
      {doing.is === 'refused' && <Trouble error={doing.error} />}
      {list.error && !list.data && <Trouble error={list.error} again={() => void list.refetch()} />}
      {list.data && all.length === 0 && <p className="quiet">{say('userSignedInNone')}</p>}
      {all.length > 0 && (
        <ul className="sessions">
          {all.map(({ id, attributes }) => {
            const name = attributes.name || say(attributes.session ? 'sessionNameless' : 'tokenNameless', { id })
            return (
              <li key={id} className="row">
                <Icon name={attributes.session ? 'user' : 'key'} />
                <span className="grow">
                  <b>{name}</b>
                  <small className="quiet">
                    {say(attributes.session ? 'userBrowser' : 'userProgram')} ·{' '}
                    {attributes.last_used === NEVER ? (
                      <>
                        {say('sessionBegan')} <Time text={attributes.created} />
                      </>
                    ) : (
                      <>
                        {say('tokenUsed')} <Time text={attributes.last_used} />
                      </>
                    )}
                  </small>
                </span>
                {id === String(mine?.id) ? (
                  <span className="pill good">{say('sessionThis')}</span>
                ) : (
                  <button
                    type="button"
                    className="button line small"
                    aria-label={say('tokenEndOf', { name })}
                    onClick={() => void doing.run(async () => (await endToken(id), toast(say('sessionOut', { name }))))}
                  >
                    {say('tokenEnd')}
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
