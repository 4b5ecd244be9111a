import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { installation, readiness } from '../api/installation.ts'
import { locale } from '../api/preferences.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { OnlyAdministrators } from './only-administrators.tsx'
import './operation.css'

export const AboutPage = () => (
  <OnlyAdministrators of="table">
    <About />
  </OnlyAdministrators>
)

/** Whether the service is well, and what it is made of. */
function About() {
  const say = useWords()
  const asked = useQuery({ ...installation, refetchInterval: 15_000 })
  const well = useQuery(readiness)
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
              <dt>{say('storageTitle')}</dt>
              <dd>
                <Link className="text-link" to="/admin/storage">
                  {say('aboutStorage')}
                </Link>
              </dd>
              <dt>{say('licencesTitle')}</dt>
              <dd>
                <Link className="text-link" to="/admin/licences">
                  {say('aboutLicences')}
                </Link>
              </dd>
            </dl>
          </section>
        )}
      </div>
    </>
  )
}
