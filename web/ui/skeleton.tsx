import { useWords } from '../i18n/words.ts'

/** In place of what is being read. */
export function Skeleton() {
  const say = useWords()
  return (
    <div className="skeleton" role="status" aria-label={say('loading')}>
      {Array.from({ length: 12 }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  )
}
