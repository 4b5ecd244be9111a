import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { indexes } from '../api/indexes.ts'
import { installation, readiness } from '../api/installation.ts'
import { locale } from '../api/preferences.ts'
import { trashCount } from '../api/trash.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { bytes } from './bytes.ts'
import { OnlyAdministrators } from './only-administrators.tsx'
import './operation.css'

export const AboutPage = () => (
  <OnlyAdministrators of="table">
    <About />
  </OnlyAdministrators>
)

/** Whether the service is well, what it holds, and what it is made of. */
function About() {
  const say = useWords()
  const asked = useQuery({ ...installation, refetchInterval: 15_000 })
  const well = useQuery(readiness)
  const made = useQuery(indexes).data?.data ?? []
  const trashed = useQuery(trashCount).data?.meta?.total
  const count = new Intl.NumberFormat(locale())
  const is = asked.data
  return (
    <>
      <Head title={say('aboutTitle')} />
      <div className="admin ledgers">
        {well.data &&
          (well.data.isOk ? (
            <div className="note good" role="status">
              <Icon name="good" />
              <span>{say('aboutWell')}</span>
            </div>
          ) : (
            <div className="note bad" role="alert">
              <Icon name="alert" />
              <span>{say('aboutNotWell', { detail: well.data.detail })}</span>
            </div>
          ))}
        {asked.error && !is ? (
          <Trouble error={asked.error} again={() => void asked.refetch()} />
        ) : !is ? (
          <Skeleton />
        ) : (
          <>
            <section aria-labelledby="about-storage">
              <h2 id="about-storage">{say('aboutStorage')}</h2>
              <dl className="pairs figures">
                <dt>{say('aboutDatabase')}</dt>
                <dd>{bytes(is.database_bytes)}</dd>
                <dt>{say('aboutFree')}</dt>
                <dd>{is.free_bytes === null ? say('aboutUntold') : bytes(is.free_bytes)}</dd>
                <dt>{say('aboutIndexes')}</dt>
                <dd>
                  {bytes(made.reduce((sum, { attributes }) => sum + attributes.size, 0))} ·{' '}
                  <Link className="text-link" to="/admin/indexes">
                    {say('indexesTitle')}
                  </Link>
                </dd>
                <dt>{say('trashTitle')}</dt>
                <dd>
                  {trashed === undefined ? '' : count.format(trashed)} ·{' '}
                  <Link className="text-link" to="/trash" search={{}}>
                    {say('aboutTrash')}
                  </Link>
                </dd>
                <dt>{say('aboutMemory')}</dt>
                <dd>
                  {bytes(is.memory_bytes)}
                  {is.lists && ` (${say('aboutLists', { used: bytes(is.lists.memory_bytes), most: bytes(is.lists.memory_limit_bytes) })})`}
                </dd>
              </dl>
            </section>
            <section aria-labelledby="about-versions">
              <h2 id="about-versions">{say('aboutVersions')}</h2>
              <dl className="pairs figures">
                <dt>{say('product')}</dt>
                <dd>{is.version}</dd>
                <dt>{say('aboutEngine')}</dt>
                <dd>{is.engine}</dd>
                <dt>Node.js</dt>
                <dd>{is.node}</dd>
                <dt>{say('aboutStarted')}</dt>
                <dd>
                  <time dateTime={is.started}>
                    {new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short', timeZone: is.time_zone }).format(
                      new Date(is.started),
                    )}
                  </time>{' '}
                  <span className="quiet">{is.time_zone}</span>
                </dd>
                <dt>{say('licencesTitle')}</dt>
                <dd>
                  <Link className="text-link" to="/admin/licences">
                    {say('aboutLicences')}
                  </Link>
                </dd>
              </dl>
            </section>
          </>
        )}
      </div>
    </>
  )
}
