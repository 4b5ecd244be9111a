import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { job } from '../api/jobs.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Nowhere } from '../ui/nowhere.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { Bring } from './bring.tsx'
import { Draft } from './draft.tsx'
import { Outcome } from './outcome.tsx'
import './import.css'

const steps = ['stepFile', 'stepFields', 'stepCheck', 'stepImport'] as const

/** From a file to records: which step it is at is in the address. */
export function ImportPage() {
  const say = useWords()
  const { job: id, table, step, name } = useSearch({ from: '/framed/import' })
  const state = useQuery({ ...job(String(id)), enabled: id !== undefined })
  const isDraft = state.data?.state === 'draft'
  if (state.error instanceof ApiError && state.error.status === 404 && !state.data) return <Nowhere />
  const at = id === undefined ? 0 : !isDraft ? 3 : step === 'check' ? 2 : step === 'fields' ? 1 : 0
  return (
    <>
      <Head title={say('importTitle')}>
        <nav aria-label={say('stepsOfImport')}>
          <ol className="stepper">
            {steps.map((word, i) => (
              <li key={word} className={i < at ? 'past' : undefined} aria-current={i === at ? 'step' : undefined}>
                <StepLink i={i} isOpen={isDraft && i < 3}>
                  <i>{i + 1}</i>
                  <span>{say(word)}</span>
                </StepLink>
              </li>
            ))}
          </ol>
        </nav>
        <Link to="/" className="button square only-wide" aria-label={say('close')} title={say('close')}>
          <Icon name="x" />
        </Link>
      </Head>
      {id === undefined ? (
        <Bring table={table} />
      ) : state.error && !state.data ? (
        <div className="page">
          <Trouble error={state.error} again={() => void state.refetch()} />
        </div>
      ) : !state.data ? (
        <Skeleton />
      ) : isDraft ? (
        <Draft key={id} id={String(id)} table={state.data.table_id} name={name} />
      ) : (
        <Outcome job={state.data} name={name} />
      )}
    </>
  )
}

function StepLink({ i, isOpen, children }: { readonly i: number; readonly isOpen: boolean; readonly children: React.ReactNode }) {
  const search = useSearch({ from: '/framed/import' })
  if (!isOpen || (i === 2 && search.trial === undefined)) return <span className="step">{children}</span>
  return (
    <Link className="step" to="/import" search={{ ...search, step: i === 0 ? undefined : i === 1 ? 'fields' : 'check' }}>
      {children}
    </Link>
  )
}
