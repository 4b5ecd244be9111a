import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ApiButton } from '../api-panel/api-button.tsx'
import { MoreMenu } from '../commands/more-menu.tsx'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Nowhere } from '../ui/nowhere.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toastRefusal } from '../ui/toast.tsx'
import { Trouble, useTrouble } from '../ui/trouble.tsx'
import { useListBefore, useWalk } from '../ui/walk.ts'
import { Beside } from './beside.tsx'
import { Gone } from './gone.tsx'
import { History } from './history.tsx'
import { RecordFields } from './record-fields.tsx'
import { Related } from './related.tsx'
import { useRecordActs } from './use-record-acts.ts'
import { useRecord } from './use-record.ts'
import './record.css'

/** One record with all its fields, as a page. */
export function RecordPage() {
  const say = useWords()
  const navigate = useNavigate()
  const { table: id, record } = useParams({ from: '/framed/t/$table/$record' })
  const read = useRecord(id, record)
  const { table, fields, found, failed, heading, mayUpdate } = read
  const onRemoved = () => void navigate({ to: '/t/$table', params: { table: id } })
  const trouble = useTrouble()
  useListBefore(read.number, record)
  const walk = useWalk(
    read.number,
    record,
    (next) => void navigate({ to: '/t/$table/$record', params: { table: id, record: next }, replace: true }),
    (error) => toastRefusal(trouble(error)),
  )
  const more = { nextRecord: walk.next, previousRecord: walk.previous }
  const { copyLink, duplicate, print, toTrash } = useRecordActs(read, { rank: 0, more, onRemoved })
  if (read.isGone && !found) return <Nowhere />
  return (
    <>
      <Head title={heading} />
      <div className="tools">
        <Link className="button" to="/t/$table" params={{ table: id }}>
          <Icon name="chevron-left" />
          <span className="cut">{String(table?.attributes['table_name'] ?? say('backToTable'))}</span>
        </Link>
        {walk.place !== undefined && <Beside {...{ walk }} />}
        <span className="grow" />
        <button type="button" className="button square" title={say('copyLink')} aria-label={say('copyLink')} onClick={copyLink}>
          <Icon name="link" />
        </button>
        {duplicate && (
          <button
            type="button"
            className="button square only-wide"
            title={say('duplicate')}
            aria-label={say('duplicate')}
            onClick={duplicate}
          >
            <Icon name="copy" />
          </button>
        )}
        <button type="button" className="button square only-wide" title={say('print')} aria-label={say('print')} onClick={print}>
          <Icon name="print" />
        </button>
        <ApiButton table={id} {...{ record, fields }} values={read.attributes} mayWrite={mayUpdate} />
        {toTrash && (
          <button type="button" className="button square only-wide" title={say('toTrash')} aria-label={say('toTrash')} onClick={toTrash}>
            <Icon name="trash" />
          </button>
        )}
        <MoreMenu title={say('moreActions')} names={['undo', 'duplicate', 'print', 'toTrash']} />
      </div>
      <div className="page record">
        {failed && !read.isGone && <Trouble error={failed} again={read.again} />}
        {!failed && !found && <Skeleton />}
        {found && (
          <>
            <div>
              {read.isGone && <Gone of={read} />}
              <h2 className="lead">{heading}</h2>
              <RecordFields of={read} />
              <Related table={read.number} id={record} isGone={read.isGone} />
            </div>
            <aside aria-label={say('history')}>
              <h2 className="only-page">{say('history')}</h2>
              <History {...{ fields }} known={found} table={read.number} id={record} mayRestore={mayUpdate} />
            </aside>
          </>
        )}
      </div>
    </>
  )
}
