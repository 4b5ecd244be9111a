import { useQuery } from '@tanstack/react-query'
import { me } from '../api/queries.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'

/** The first page while there is no table that the person may see. */
export function NoTables() {
  const say = useWords()
  const { data } = useQuery(me)
  const administers = (data?.data.attributes['administers'] ?? []) as readonly string[]
  return (
    <>
      <Head title={say('noTables')} />
      <section className="empty">
        <h2>{say('noTables')}</h2>
        <p>{say(administers.includes('table') ? 'noTablesAdmin' : 'noTablesLead')}</p>
      </section>
    </>
  )
}
