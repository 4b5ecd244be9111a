import { useEffect, useState } from 'react'
import { endViewing, followViewing, useViewing } from '../api/viewing.ts'
import { act } from '../commands/commands.ts'
import { shortName } from '../fields/plain.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Trouble } from '../ui/trouble.tsx'

/** Says over every page whose rights it shows, and leads back. */
export function ViewingBar() {
  const say = useWords()
  const viewing = useViewing()
  const [error, setError] = useState<unknown>()
  const leave = () => void endViewing().catch(setError)
  useEffect(followViewing, [])
  useEffect(() => act('viewing', { leaveView: viewing !== undefined && leave }), [viewing === undefined])
  if (!viewing) return null
  const name = shortName(viewing.name)
  return (
    <section className="viewing" aria-label={say('viewing')}>
      <Icon name="eye" />
      <span className="grow" role="status" title={viewing.name}>
        {say(viewing.is === 'user' ? 'viewingUser' : 'viewingGroup', { name })}
      </span>
      {error !== undefined && <Trouble error={error} />}
      <button type="button" className="button small" onClick={leave}>
        {say('viewingLeave')}
      </button>
    </section>
  )
}
