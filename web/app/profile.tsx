import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { choose, usePreferences } from '../api/preferences.ts'
import { me } from '../api/queries.ts'
import { useViewing } from '../api/viewing.ts'
import { run } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { Choice } from '../ui/choice.tsx'
import { Icon } from '../ui/icon.tsx'
import { Look } from '../ui/look.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { Sessions, Tokens } from '../admin/tokens.tsx'
import '../admin/admin.css'
import { OwnPassword } from './own-password.tsx'
import { Head } from '../ui/head.tsx'

export function Profile() {
  const say = useWords()
  const { density } = usePreferences()
  const { data } = useQuery(me)
  const isViewing = useViewing() !== undefined
  const [error, setError] = useState<unknown>()
  const [isAsking, setAsking] = useState(false)
  const keep = (chosen: Parameters<typeof choose>[0]) => void choose(chosen, !isViewing).then(() => setError(undefined), setError)
  const person = data?.data.attributes ?? {}
  const groups = (person['groups'] ?? []) as readonly { group_name: string }[]
  return (
    <>
      <Head title={say('profile')} />
      <div className="page">
        {error !== undefined && <Trouble error={error} />}
        <section>
          <dl className="pairs">
            <dt>{say('name')}</dt>
            <dd>{String(person['fio'] ?? '')}</dd>
            <dt>{say('login')}</dt>
            <dd>{String(person['login'] ?? '')}</dd>
            <dt>{say('email')}</dt>
            <dd>{String(person['e_mail'] || '–')}</dd>
            <dt>{say('groups')}</dt>
            <dd>{groups.map(({ group_name }) => group_name).join(', ')}</dd>
          </dl>
        </section>
        <section>
          <Look onChoose={keep} />
          <Choice
            name={say('density')}
            value={density}
            options={[
              ['comfortable', say('comfortable')],
              ['compact', say('compact')],
            ]}
            onChoose={(chosen) => keep({ density: chosen })}
          />
        </section>
        {!isViewing && (
          <>
            {data && <OwnPassword id={data.data.id} login={String(person['login'] ?? '')} />}
            <section>
              <h2>{say('sessionsTitle')}</h2>
              <Sessions />
            </section>
            <section className="wide ledgers">
              <div className="row between">
                <h2>{say('tokensTitle')}</h2>
                {!isAsking && (
                  <button type="button" className="button line" onClick={() => setAsking(true)}>
                    <Icon name="plus" />
                    {say('tokenNew')}
                  </button>
                )}
              </div>
              <Tokens isAsking={isAsking} onAsked={() => setAsking(false)} />
            </section>
          </>
        )}
        <button type="button" className="button line" onClick={() => run('signOut')}>
          {say('signOut')}
        </button>
      </div>
    </>
  )
}
