import { useQuery } from '@tanstack/react-query'
import { inTrash, isBarredIn, restore } from '../api/trash.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { toastRefusal } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import type { OpenRecord } from './use-record.ts'

/** Says that a record that was shown is there no more, and brings it back where that is possible. */
export function Gone({ of: { number, record, mayRestore } }: { readonly of: OpenRecord }) {
  const say = useWords()
  const trouble = useTrouble()
  const entry = useQuery(inTrash(number, record)).data?.data[0]
  return (
    <div className="note warn" role="status">
      <Icon name="trash" />
      <span className="grow">{say(entry ? 'recordTrashed' : 'recordGone')}</span>
      {entry && mayRestore && !isBarredIn(entry) && (
        <button
          type="button"
          className="button small"
          onClick={() => void restore(entry.id).catch((error: unknown) => toastRefusal(trouble(error)))}
        >
          <Icon name="restore" />
          <span>{say('trashRestore')}</span>
        </button>
      )}
    </div>
  )
}
