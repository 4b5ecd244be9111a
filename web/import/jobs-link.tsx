import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { goesOn, jobs } from '../api/jobs.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** The way to the jobs, with how many are running. */
export function JobsLink() {
  const say = useWords()
  const { data } = useQuery({ ...jobs, staleTime: 10_000 })
  const running = data?.filter(goesOn).length ?? 0
  return (
    <Link className="side-item" to="/jobs">
      {running > 0 ? <span className="spin" aria-hidden="true" /> : <Icon name="task" />}
      <span className="cut">{say('jobsTitle')}</span>
      <span className="num">
        {running > 0 && (
          <>
            <span aria-hidden="true">{running}</span>
            <span className="said">{say('jobsRunning', { count: running })}</span>
          </>
        )}
      </span>
    </Link>
  )
}
