import { useWords } from '../i18n/words.ts'

/** In place of what is being read. */
export function Skeleton({ isCards = false }: { readonly isCards?: boolean }) {
  const say = useWords()
  return (
    <div className={isCards ? 'skeleton cards gallery' : 'skeleton'} role="status" aria-label={say('loading')}>
      {Array.from({ length: 12 }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  )
}
