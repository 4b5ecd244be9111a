import { lazy, Suspense } from 'react'
import { useQuery } from '@tanstack/react-query'
import { me } from '../api/queries.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

const FirstRun = lazy(async () => ({ default: (await import('../import/first-run.tsx')).FirstRun }))

/** The first page while there is no table that the person may see. */
export function NoTables() {
  const say = useWords()
  const { data } = useQuery(me)
  const administers = (data?.data.attributes['administers'] ?? []) as readonly string[]
  if (administers.includes('table'))
    return (
      <Suspense fallback={<Skeleton />}>
        <FirstRun />
      </Suspense>
    )
  return (
    <>
      <Head title={say('noTables')} />
      <section className="empty">
        <h2>{say('noTables')}</h2>
        <p>{say('noTablesLead')}</p>
      </section>
    </>
  )
}
