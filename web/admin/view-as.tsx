import { useEffect } from 'react'
import { beginViewing, type Whom } from '../api/viewing.ts'
import { act } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { toastRefusal } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'

/** How to begin to see what others see. */
export function useViewAs(): (whom: Whom) => void {
  const trouble = useTrouble()
  return (whom) => void beginViewing(whom).catch((error: unknown) => toastRefusal(trouble(error)))
}

/** While it is there, the command of this name is about this user or group. */
export function ViewAs({ name, ...whom }: Whom & { readonly name: string }) {
  const say = useWords()
  const viewAs = useViewAs()
  const begin = () => viewAs('user_id' in whom ? { user_id: whom.user_id } : { group_id: whom.group_id })
  const key = JSON.stringify(whom)
  useEffect(() => act('view-as', { viewAs: begin }), [key])
  return (
    <div className="row">
      <button type="button" className="button line" onClick={begin}>
        <Icon name="eye" />
        <span className="cut">{say('viewAsName', { name })}</span>
      </button>
    </div>
  )
}
