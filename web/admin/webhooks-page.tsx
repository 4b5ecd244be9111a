import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { tables } from '../api/queries.ts'
import { changeWebhook, troubles, webhooks, type WebhookResource } from '../api/webhooks.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { Deliveries } from './deliveries.tsx'
import { OnlyAdministrators } from './only-administrators.tsx'
import { hostOf } from './receiver-words.ts'
import type { WebhooksSearch } from './search.ts'
import { useDoing } from './use-doing.ts'
import { NewWebhook, WebhookPanel } from './webhook-panel.tsx'
import './operation.css'

export const WebhooksPage = () => (
  <OnlyAdministrators of="table">
    <Webhooks />
  </OnlyAdministrators>
)

function Webhooks() {
  const say = useWords()
  const navigate = useNavigate()
  const doing = useDoing()
  const { webhook: open, show } = useSearch({ from: '/framed/admin/webhooks' })
  const list = useQuery(webhooks)
  const all = list.data?.data ?? []
  const one = all.find(({ id }) => id === String(open))
  const go = (next: WebhooksSearch) => void navigate({ to: '/admin/webhooks', search: { webhook: open, show, ...next } })
  const close = () => go({ webhook: undefined })
  return (
    <>
      <Head title={say('hooksTitle')}>
        {open !== 'new' && (
          <button type="button" className="button primary" onClick={() => go({ webhook: 'new' })}>
            <Icon name="plus" />
            {say('hookNew')}
          </button>
        )}
      </Head>
      <div className="designer" data-open={open === 'new' || one !== undefined || undefined}>
        <div className="admin ledgers">
          {doing.is === 'refused' && <Trouble error={doing.error} />}
          {list.error && !list.data ? (
            <Trouble error={list.error} again={() => void list.refetch()} />
          ) : !list.data ? (
            <Skeleton />
          ) : all.length === 0 ? (
            <section className="empty">
              <h2>{say('hooksNone')}</h2>
              <p>{say('hooksLead')}</p>
            </section>
          ) : (
            <>
              <HookTable
                all={all}
                open={one?.id}
                search={(webhook) => ({ webhook, show })}
                onSwitch={(id, active) => void doing.run(() => changeWebhook(id, { active }))}
              />
              <Deliveries
                of={one}
                all={all}
                isFailedOnly={show === 'failed'}
                onShow={(isFailedOnly) => go({ show: isFailedOnly ? 'failed' : undefined })}
              />
            </>
          )}
        </div>
        {open === 'new' && <NewWebhook onMade={(id) => go({ webhook: Number(id) })} onClose={close} />}
        {one && <WebhookPanel key={one.id} webhook={one} onClose={close} />}
      </div>
    </>
  )
}

function HookTable({
  all,
  open,
  search,
  onSwitch,
}: {
  readonly all: readonly WebhookResource[]
  readonly open: string | undefined
  readonly search: (webhook: number) => WebhooksSearch
  readonly onSwitch: (id: string, active: boolean) => void
}) {
  const say = useWords()
  const known = useQuery(tables).data?.data ?? []
  const troubled = useQuery(troubles).data
  const stateOf = (id: string, active: boolean, fault: string): readonly [look: string, words: string] => {
    const { parked = 0, isTried = false } = troubled?.get(id) ?? {}
    if (fault !== '') return ['bad', say('hookStopped')]
    if (!active) return ['calm', say('hookOff')]
    if (isTried) return ['bad', say('hookFails')]
    return parked > 0 ? ['warn', say('hookParked', { count: parked })] : ['good', say('hookWorks')]
  }
  const tableOf = (id: number) =>
    id === 0
      ? say('hookAllTables')
      : String(known.find((one) => one.id === String(id))?.attributes['table_name'] ?? say('hookTableGone', { id }))
  return (
    <table className="ledger">
      <thead>
        <tr>
          <th scope="col">{say('hookReceiver')}</th>
          <th scope="col">{say('hookOf')}</th>
          <th scope="col">{say('hookState')}</th>
          <th scope="col">{say('hookActive')}</th>
        </tr>
      </thead>
      <tbody>
        {all.map(({ id, attributes: { url, table_id, active, fault } }) => (
          <tr key={id} className={id === open ? 'at' : undefined}>
            <th scope="row">
              <Link className="ref" to="/admin/webhooks" search={search(Number(id))} aria-current={id === open ? 'true' : undefined}>
                {hostOf(url)}
              </Link>
              <small className="one-line" title={url}>
                {url}
              </small>
            </th>
            <td>
              <span className="clamp">{tableOf(table_id)}</span>
            </td>
            <td>
              <span className={`pill ${stateOf(id, active, fault)[0]}`}>{stateOf(id, active, fault)[1]}</span>
            </td>
            <td className="ledger-acts">
              <label className="ledger-tick">
                <span className="ledger-name">{say('hookActive')}</span>
                <input
                  type="checkbox"
                  className="tick"
                  aria-label={say('hookActiveOf', { name: hostOf(url) })}
                  checked={active && fault === ''}
                  onChange={({ target }) => onSwitch(id, target.checked)}
                />
              </label>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
