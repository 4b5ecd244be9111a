import { Link } from '@tanstack/react-router'
import { useWords } from '../i18n/words.ts'
import { Head } from './head.tsx'

/** What an address shows that leads nowhere, or to something that one may not see. */
export function Nowhere() {
  const say = useWords()
  return (
    <>
      <Head title={say('notFoundTitle')} />
      <section className="empty">
        <h2>{say('notFoundTitle')}</h2>
        <p>{say('notFound')}</p>
        <Link to="/" className="text-link">
          {say('toStart')}
        </Link>
      </section>
    </>
  )
}
