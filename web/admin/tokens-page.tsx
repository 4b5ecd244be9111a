import { useState } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useWords } from '../i18n/words.ts'
import { Choice } from '../ui/choice.tsx'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { OnlyAdministrators } from './only-administrators.tsx'
import { Tokens } from './tokens.tsx'

export const TokensPage = () => (
  <OnlyAdministrators of="table">
    <Page />
  </OnlyAdministrators>
)

function Page() {
  const say = useWords()
  const navigate = useNavigate()
  const { of } = useSearch({ from: '/framed/admin/tokens' })
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Head title={say('tokensTitle')}>
        {!isAsking && (
          <button type="button" className="button primary" onClick={() => setAsking(true)}>
            <Icon name="plus" />
            {say('tokenNew')}
          </button>
        )}
      </Head>
      <div className="admin ledgers">
        <Choice
          name={say('tokensOf')}
          value={of ?? 'mine'}
          options={[
            ['mine', say('tokensMine')],
            ['all', say('tokensOfAll')],
          ]}
          onChoose={(value) => void navigate({ to: '/admin/tokens', search: { of: value === 'all' ? value : undefined } })}
        />
        <Tokens isOfAll={of === 'all'} isAsking={isAsking} onAsked={() => setAsking(false)} />
      </div>
    </>
  )
}
