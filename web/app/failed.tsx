import { Link, useRouter } from '@tanstack/react-router'
import { useWords } from '../i18n/words.ts'
import { Trouble } from '../ui/trouble.tsx'

/** In place of a page that could not be made. */
export function Failed({ error }: { readonly error: unknown }) {
  const router = useRouter()
  return (
    <main className="page">
      <Trouble error={error} again={() => void router.invalidate()} />
    </main>
  )
}

export function NotFound() {
  const say = useWords()
  return (
    <main className="empty">
      <h2>{say('notFoundTitle')}</h2>
      <p>{say('notFound')}</p>
      <Link to="/" className="text-link">
        {say('toStart')}
      </Link>
    </main>
  )
}
