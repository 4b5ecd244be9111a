import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AuditResource } from '../api/audit.ts'
import type { Resource } from '../api/client.ts'
import { allFields, groups, tables } from '../api/queries.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { actOf, acts, partsOf } from './acts.ts'

/** One act: who, what and to what, with the entry itself on demand. */
export function AuditLine({ entry, people }: { readonly entry: AuditResource; readonly people: readonly Resource[] }) {
  const say = useWords()
  const { time, user_id, address, action, subject, detail } = entry.attributes
  const [name, more] = actOf(action, detail)
  const [, icon, word] = acts[name] ?? []
  const who = people.find(({ id }) => id === String(user_id))?.attributes
  const doer =
    user_id !== 0 ? String(who?.['fio'] || who?.['login'] || `#${user_id}`) : address === '' ? say('auditCommandLine') : say('auditUnknown')
  const isBad = name === 'sign_in_failed'
  return (
    <li className="audit-line">
      <span className={`kind-icon${isBad ? ' warn' : ''}`}>
        <Icon name={icon ?? 'info'} size="s" />
      </span>
      <div className="audit-what">
        <p>
          <b>{doer}</b> <span>{word ? say(word) : name}</span>{' '}
          <Subject name={name} subject={subject} detail={detail} doer={user_id} people={people} />
          {more !== undefined && <span> {say('auditMore', { count: more })}</span>}
        </p>
        <details>
          <summary>{say('auditDetails')}</summary>
          <dl className="pairs">
            <dt>{say('auditAct')}</dt>
            <dd className="mono">{action}</dd>
            <dt>{say('auditSubject')}</dt>
            <dd>{subject}</dd>
            {detail !== '' && (
              <>
                <dt>{say('auditDetail')}</dt>
                <dd>{detail}</dd>
              </>
            )}
            <dt>{say('auditEntry')}</dt>
            <dd>{entry.id}</dd>
          </dl>
        </details>
      </div>
      <span className="audit-when">
        <time dateTime={time}>{time.slice(11, 16)}</time>
        <span>{address}</span>
      </span>
    </li>
  )
}

/** The names of what it happened to, where it still is; otherwise what was noted of it. */
function Subject({
  name,
  subject,
  detail,
  doer,
  people,
}: {
  readonly name: string
  readonly subject: string
  readonly detail: string
  readonly doer: number
  readonly people: readonly Resource[]
}) {
  const say = useWords()
  const known = useNames(people)
  // The words of an act name the kind of most things.
  const isSaid = (type: string) => name.startsWith(`${type}_`) && type !== 'webhook' && type !== 'index' && type !== 'job'
  const sayThing = (type: string, id: string) => (isSaid(type) ? `#${id}` : things[type] ? say(things[type], { id }) : `${type} ${id}`)
  const tableOf = tableInDetail(detail)
  if (name === 'sign_in_failed') return <b>{detail}</b>
  // Who signs in is who does it.
  const parts = partsOf(subject).filter(([type, id]) => type !== 'user' || id !== String(doer))
  return parts.map(([type, id], i) => {
    const title = known(type, id)
    return (
      <span key={i}>
        {i > 0 && ' · '}
        {title !== undefined && type === 'table' ? (
          <Link className="ref" to="/admin/tables/$table" params={{ table: id }} search={{}}>
            {title}
          </Link>
        ) : (
          <b>
            {title ??
              (isNoted(name) && detail !== ''
                ? detail
                : type === 'field'
                  ? (nameOfField(detail) ?? sayThing(type, id))
                  : sayThing(type, id))}
          </b>
        )}
        {type === 'field' && tableOf !== undefined && (
          <>
            {' · '}
            {known('table', tableOf) === undefined ? (
              sayThing('table', tableOf)
            ) : (
              <Link className="ref" to="/admin/tables/$table" params={{ table: tableOf }} search={{}}>
                {known('table', tableOf)}
              </Link>
            )}
          </>
        )}
      </span>
    )
  })
}

/** Of an act on a field: `table 7: Name`. */
const tableInDetail = (detail: string): string | undefined => /^table (\d+)(?::|$)/.exec(detail)?.[1]
const nameOfField = (detail: string): string | undefined => /^table \d+: (.+)$/s.exec(detail)?.[1]

/** Whether the detail is the name that the subject had. */
const isNoted = (name: string) =>
  /^(table|category|group|user|webhook)_(created|deleted|changed)$/.test(name) && !/^(table|user|webhook)_changed$/.test(name)

/** What has no name. */
const things: Readonly<Record<string, Message>> = {
  user: 'thingUser',
  group: 'thingGroup',
  table: 'thingTable',
  field: 'thingField',
  category: 'thingCategory',
  record: 'thingRecord',
  token: 'thingToken',
  invitation: 'thingInvitation',
  webhook: 'thingWebhook',
  index: 'thingIndex',
  job: 'thingJob',
}

function useNames(people: readonly Resource[]): (type: string, id: string) => string | undefined {
  const [tableList, groupList, fieldList] = [useQuery(tables), useQuery(groups), useQuery(allFields)].map(({ data }) => data?.data ?? [])
  const named: Readonly<Record<string, readonly [all: readonly Resource[] | undefined, attribute: string]>> = {
    table: [tableList, 'table_name'],
    group: [groupList, 'group_name'],
    field: [fieldList, 'field_name'],
    user: [people, 'fio'],
  }
  return (type, id) => {
    const [all, attribute] = named[type] ?? []
    const title = all?.find((one) => one.id === id)?.attributes[attribute!]
    return title === undefined ? undefined : String(title)
  }
}
