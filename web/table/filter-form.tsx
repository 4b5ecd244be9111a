import { useState, type FormEvent } from 'react'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** The filter of a table as an expression. */
export function FilterForm({
  filter,
  input,
  isWrong,
  onFilter,
}: {
  readonly filter: string | undefined
  readonly input: React.RefObject<HTMLInputElement | null>
  readonly isWrong?: boolean
  readonly onFilter: (text: string | undefined) => void
}) {
  const say = useWords()
  const [text, setText] = useState(filter ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFilter(text.trim() === '' ? undefined : text.trim())
  }
  return (
    <form onSubmit={submit} role="search">
      <span className={`input mono${isWrong ? ' wrong' : ''}`}>
        <Icon name="filter" />
        <input
          ref={input}
          value={text}
          onChange={({ target }) => setText(target.value)}
          aria-label={say('filter')}
          aria-invalid={isWrong}
          placeholder={say('filterHint')}
          spellCheck={false}
          autoCapitalize="none"
        />
        <kbd className="kbd only-wide" aria-hidden="true">
          /
        </kbd>
      </span>
      {filter !== undefined && (
        <button
          type="button"
          className="button square"
          aria-label={say('clearFilter')}
          title={say('clearFilter')}
          onClick={() => onFilter(undefined)}
        >
          <Icon name="x" />
        </button>
      )}
    </form>
  )
}
