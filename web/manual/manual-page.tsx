import { Link } from '@tanstack/react-router'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { useManual } from './use-manual.ts'
import './manual.css'

/** The chapters of the manual, and what else helps. */
export function ManualPage() {
  const say = useWords()
  const manual = useManual()
  return (
    <>
      <Head title={say('help')} />
      <div className="page">
        {manual.error ? (
          <Trouble error={manual.error} again={() => void manual.refetch()} />
        ) : !manual.data ? (
          <Skeleton />
        ) : (
          <ol className="chapters">
            {manual.data.chapters.map(({ name, title, lead }) => (
              <li key={name}>
                <Link to="/help/$chapter" params={{ chapter: name }}>
                  <b>{title}</b>
                  <span>{lead}</span>
                </Link>
              </li>
            ))}
          </ol>
        )}
        <div className="help-more">
          <Link className="button line" to="/help/keys">
            <Icon name="bolt" />
            {say('shortcuts')}
          </Link>
          <a className="button line" href="/reference">
            <Icon name="code" />
            {say('reference')}
          </a>
        </div>
      </div>
    </>
  )
}
