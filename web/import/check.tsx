import { useQuery } from '@tanstack/react-query'
import { errorLines } from '../api/imports.ts'
import { errorsOf, goesOn, job } from '../api/jobs.ts'
import { locale } from '../api/preferences.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { badLines } from './mapping.ts'
import { Progress } from './progress.tsx'

/** Lines that do not fit which are shown here, and the characters of the file that have them. */
const SHOWN = 20
const READ = 200_000

/** What the trial has found. */
export function Check({ id }: { readonly id: string }) {
  const say = useWords()
  const state = useQuery(job(id))
  const result = state.data?.result
  const bad = Number(result?.['bad'] ?? 0)
  const listed = Number(result?.['listed'] ?? 0)
  const lines = useQuery({ ...errorLines(id, READ), enabled: listed > 0 })
  if (state.error && !state.data) return <Trouble error={state.error} again={() => void state.refetch()} />
  if (!state.data) return <Skeleton />
  if (goesOn(state.data)) return <Progress job={state.data} title={say('checkRunning')} />
  if (!result || state.data.state !== 'done')
    return (
      <div className="note bad" role="alert">
        <Icon name="alert" />
        <span className="grow">
          {say('importFailed', { detail: state.data.error ? told(state.data.error.detail) : say('importCancelled') })}
        </span>
      </div>
    )
  const shown = badLines(lines.data ?? '', SHOWN)
  return (
    <>
      <div className="section-line">
        <h2>{say('checkTitle')}</h2>
        <span className="quiet">{say('checkLead')}</span>
      </div>
      <Counts result={result} />
      {bad === 0 ? (
        <p className="note" role="status">
          <Icon name="check" />
          {say('checkAllFit')}
        </p>
      ) : (
        <>
          <div className="section-line">
            <h2>{say('checkBad')}</h2>
            {shown.length > 0 && shown.length < bad && (
              <span className="quiet">{say('checkBadFirst', { shown: shown.length, count: bad })}</span>
            )}
            <span className="quiet grow">{say('checkBadLead')}</span>
            <a className="text-link" href={errorsOf(id)} download>
              {say('errorFile')}
            </a>
          </div>
          <table className="box badlines">
            <thead>
              <tr>
                <th scope="col" className="end">
                  {say('badLine')}
                </th>
                <th scope="col">{say('badColumn')}</th>
                <th scope="col">{say('badWhy')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ line, column, reason }, i) => (
                <tr key={i}>
                  <td className="end">{line}</td>
                  <th scope="row">{column}</th>
                  <td>{told(reason)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </>
  )
}

function Counts({ result }: { readonly result: Readonly<Record<string, unknown>> }) {
  const say = useWords()
  const number = (name: string) => Number(result[name] ?? 0)
  const counts = [
    ['countRead', number('read'), false],
    ...(number('updated') > 0
      ? ([
          ['countCreated', number('imported') - number('updated'), false],
          ['countUpdated', number('updated'), false],
        ] as const)
      : ([['countImported', number('imported'), false]] as const)),
    ['countBad', number('bad'), number('bad') > 0],
    ['countIncomplete', number('incomplete'), false],
  ] as const
  return (
    <dl className="box counts">
      {counts.map(([word, count, isBad]) => (
        <div key={word} className={isBad ? 'is-bad' : undefined}>
          <dt>{say(word)}</dt>
          <dd>{shownNumber(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

const shownNumber = (count: number) => new Intl.NumberFormat(locale()).format(count)
