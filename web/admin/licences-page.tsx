import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { licences } from '../api/licences.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { OnlyAdministrators } from './only-administrators.tsx'
import './operation.css'

export const LicencesPage = () => (
  <OnlyAdministrators of="table">
    <Licences />
  </OnlyAdministrators>
)

/** The packages of others, each with its licence on demand. */
function Licences() {
  const say = useWords()
  const list = useQuery(licences)
  return (
    <>
      <Head title={say('licencesTitle')}>
        <Link className="button only-wide" to="/admin/about">
          {say('aboutTitle')}
        </Link>
      </Head>
      <div className="admin ledgers">
        <p className="quiet ledger-lead">{say('licencesLead')}</p>
        {list.error ? (
          <Trouble error={list.error} again={() => void list.refetch()} />
        ) : !list.data ? (
          <Skeleton />
        ) : (
          (['service', 'pages'] as const).map((of) => (
            <section key={of} aria-labelledby={`licences-${of}`}>
              <h2 id={`licences-${of}`}>{say(of === 'service' ? 'licencesService' : 'licencesPages')}</h2>
              <ul className="licences">
                {list.data
                  .filter((one) => one.of === of)
                  .map(({ name, version, licence, text }) => (
                    <li key={`${name} ${version}`}>
                      {text === '' ? (
                        <p>
                          <b>{name}</b> {version} <span className="quiet">{licence}</span>
                        </p>
                      ) : (
                        <details>
                          <summary>
                            <b>{name}</b> {version} <span className="quiet">{licence}</span>
                          </summary>
                          <pre tabIndex={0}>{text}</pre>
                        </details>
                      )}
                    </li>
                  ))}
              </ul>
            </section>
          ))
        )}
      </div>
    </>
  )
}
