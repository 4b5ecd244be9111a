import { useEffect, useRef, useState } from 'react'
import { act, run } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { toGrid } from '../ui/grid-cell.ts'
import { Icon } from '../ui/icon.tsx'

/** Milliseconds without a key after which the service is asked. */
const PAUSE = 150

/** Words that records of the list have, in any field; asked for as one types. */
export function QuickSearch({ words, onWords }: { readonly words: string | undefined; onWords(words: string | undefined): void }) {
  const say = useWords()
  const [text, setText] = useState(words ?? '')
  const input = useRef<HTMLInputElement>(null)
  const latest = useRef(onWords)
  latest.current = onWords
  useEffect(() => act('quick', { quickSearch: () => input.current?.select() }), [])
  // The address has changed otherwise, such as by going back.
  useEffect(() => setText((now) => (now.trim() === (words ?? '') ? now : (words ?? ''))), [words])
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === (words ?? '')) return
    const timer = setTimeout(() => latest.current(wanted === '' ? undefined : wanted), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <label className="input find">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        value={text}
        maxLength={200}
        placeholder={say('quickSearchHint')}
        aria-label={say('quickSearch')}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') {
            event.preventDefault()
            if (text !== '') setText('')
            else toGrid()
          }
          // On to what was found, without a wait for the pause.
          if (event.key === 'Enter' || event.key === 'ArrowDown') {
            event.preventDefault()
            const wanted = text.trim()
            if (wanted !== (words ?? '')) onWords(wanted === '' ? undefined : wanted)
            run('toList')
          }
        }}
      />
      <kbd className="kbd only-wide" aria-hidden="true">
        /
      </kbd>
    </label>
  )
}
