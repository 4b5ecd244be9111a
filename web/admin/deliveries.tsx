import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Resource } from '../api/client.ts'
import { tables } from '../api/queries.ts'
import {
  changesOf,
  deliveriesOf,
  parkedOf,
  sendAgain,
  sendParkedAgain,
  type Delivery,
  type DeliveryResource,
  type WebhookResource,
} from '../api/webhooks.ts'
import { useWords } from '../i18n/words.ts'
import { Choice } from '../ui/choice.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { useDelivered } from './delivered.ts'
import { faultWords, hostOf, looks } from './receiver-words.ts'
import { useDoing } from './use-doing.ts'

/** The log of deliveries: of one webhook, or of all. */
export function Deliveries({
  of,
  all,
  isFailedOnly,
  onShow,
}: {
  readonly of: WebhookResource | undefined
  readonly all: readonly WebhookResource[]
  readonly isFailedOnly: boolean
  readonly onShow: (isFailedOnly: boolean) => void
}) {
  const say = useWords()
  const doing = useDoing()
  const known = useQuery(tables).data?.data ?? []
  const list = useInfiniteQuery(deliveriesOf(of?.id, isFailedOnly))
  const parked = useQuery({ ...parkedOf(of?.id ?? '0'), enabled: of !== undefined }).data?.meta?.total ?? 0
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const whatOf = useDelivered()
  const asked = rows.flatMap(({ attributes: its }) => (its.change_id > 0 ? [its.change_id] : []))
  const changes = useQuery({ ...changesOf(asked), enabled: asked.length > 0 }).data
  const hostBy = (id: number) => hostOf(String(all.find((one) => one.id === String(id))?.attributes.url ?? ''))
  return (
    <section className="ledgers" aria-label={say('deliveries')}>
      <h2 className="cut">{of ? say('deliveriesTo', { name: hostOf(of.attributes.url) }) : say('deliveries')}</h2>
      <Choice
        name={say('deliveriesShow')}
        value={isFailedOnly ? 'failed' : 'all'}
        options={[
          ['all', say('deliveriesAll')],
          ['failed', say('deliveriesFailed')],
        ]}
        onChoose={(value) => onShow(value === 'failed')}
      />
      {doing.is === 'refused' && <Trouble error={doing.error} />}
      {of && parked > 0 && (
        <div className="note bad">
          <Icon name="alert" />
          <span className="grow">{say('deliveryParkedNote', { count: parked })}</span>
          <button
            type="button"
            className="button line small"
            disabled={doing.is === 'saving'}
            onClick={() => void doing.run(() => sendParkedAgain(of.id))}
          >
            {say('deliveryParkedSend')}
          </button>
        </div>
      )}
      {list.error && !list.data ? (
        <Trouble error={list.error} again={() => void list.refetch()} />
      ) : !list.data ? (
        <Skeleton />
      ) : rows.length === 0 ? (
        <p className="quiet">{say('deliveriesNone')}</p>
      ) : (
        <table className="ledger">
          <thead>
            <tr>
              <th scope="col">{say('deliveryTime')}</th>
              <th scope="col">{say('deliveryWhat')}</th>
              <th scope="col">{say('deliveryAnswer')}</th>
              <th scope="col">{say('deliveryTries')}</th>
              <th scope="col">
                <span className="said">{say('trashActions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <Line
                key={one.id}
                one={one}
                tables={known}
                what={whatOf(one.attributes, changes?.get(one.attributes.change_id))}
                host={hostBy(one.attributes.webhook_id)}
                onAgain={() => void doing.run(() => sendAgain(one.id))}
              />
            ))}
          </tbody>
        </table>
      )}
      {list.hasNextPage && (
        <div>
          <button type="button" className="button line" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {say('deliveriesOlder')}
          </button>
        </div>
      )}
    </section>
  )
}

function Line({
  one,
  tables: known,
  host,
  what,
  onAgain,
}: {
  readonly one: DeliveryResource
  readonly tables: readonly Resource[]
  readonly host: string
  /** In words. */
  readonly what: string
  readonly onAgain: () => void
}) {
  const say = useWords()
  const { attributes: its } = one
  const table = known.find(({ id }) => id === String(its.table_id))
  return (
    <tr>
      <td>
        <Time text={its.made_at} />
      </td>
      <th scope="row">
        {its.change_id !== 0 && table && its.record_id !== 0 ? (
          <Link className="ref clamp" title={what} to="/t/$table/$record" params={{ table: table.id, record: String(its.record_id) }}>
            {what}
          </Link>
        ) : (
          what
        )}
        <small>{host}</small>
      </th>
      <td>
        <Answer of={its} />
      </td>
      <td>
        <Tries of={its} />
      </td>
      <td className="ledger-acts">
        {its.state !== 'waiting' && its.state !== 'expired' && (
          <button type="button" className="button line small" aria-label={say('deliveryAgainOf', { name: what })} onClick={onAgain}>
            {say('deliveryAgain')}
          </button>
        )}
      </td>
    </tr>
  )
}

/** The last answer, and what comes next. */
function Answer({ of: { state, status, fault, next_at, attempts } }: { readonly of: Delivery }) {
  const say = useWords()
  const word = status > 0 ? String(status) : attempts.length > 0 && state !== 'withheld' ? say('deliveryNoAnswer') : say('deliveryWaits')
  const because = faultWords[fault]
  if (state === 'withheld' || state === 'expired')
    return <small>{because ? say(because) : say(state === 'withheld' ? 'deliveryWithheld' : 'deliveryExpired')}</small>
  return (
    <>
      <span className={`pill ${looks[state]}`}>{word}</span>
      {because && <small>{say(because)}</small>}
      {state === 'parked' && <small>{say('deliveryParked')}</small>}
      {state === 'waiting' && attempts.length > 0 && (
        <small>
          {say('deliveryNext')} <Time text={next_at} />
        </small>
      )}
    </>
  )
}

/** How many there were; each of them when it is asked for. */
function Tries({ of: { attempts } }: { readonly of: Delivery }) {
  const say = useWords()
  if (attempts.length === 0)
    return (
      <span className="quiet">
        <span className="ledger-name">{say('deliveryTries')}</span>0
      </span>
    )
  return (
    <details className="tries">
      <summary>
        <span className="ledger-name">{say('deliveryTries')}</span>
        {attempts.length}
      </summary>
      <ol>
        {attempts.map((one, i) => (
          <li key={i}>
            <Time text={one.made_at} /> · {one.status > 0 ? one.status : say(faultWords[one.fault] ?? 'deliveryNoAnswer')}
          </li>
        ))}
      </ol>
    </details>
  )
}
