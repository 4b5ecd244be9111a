import { useState } from 'react'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { OnlyAdministrators } from './only-administrators.tsx'
import { Tokens } from './tokens.tsx'

export function TokensPage() {
  const say = useWords()
  const [isAsking, setAsking] = useState(false)
  return (
    <OnlyAdministrators of="table">
      <Head title={say('tokensTitle')}>
        {!isAsking && (
          <button type="button" className="button primary" onClick={() => setAsking(true)}>
            <Icon name="plus" />
            {say('tokenNew')}
          </button>
        )}
      </Head>
      <div className="admin ledgers">
        <Tokens isAsking={isAsking} onAsked={() => setAsking(false)} />
      </div>
    </OnlyAdministrators>
  )
}
