import { Link, useRouter } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { useWords } from '../i18n/words.ts'
import { Trouble } from '../ui/trouble.tsx'
import { Away } from './away.tsx'

/** In place of a page that could not be made. */
export function Failed({ error }: { readonly error: unknown }) {
  const router = useRouter()
  const again = () => void router.invalidate()
  if (error instanceof ApiError && error.status === 0) return <Away {...{ again }} />
  return (
    <main className="page">
      <Trouble {...{ error, again }} />
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
