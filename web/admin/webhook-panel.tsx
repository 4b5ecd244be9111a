import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../api/client.ts'
import { users } from '../api/queries.ts'
import { changeWebhook, makeWebhook, removeWebhook, renewSecret, testWebhook, type Wanted, type WebhookResource } from '../api/webhooks.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { useUnsaved } from '../ui/leaving.ts'
import { Question } from '../ui/question.tsx'
import { Secret } from '../ui/secret.tsx'
import { toast } from '../ui/toast.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { Panel } from './panel.tsx'
import { hostOf } from './receiver-words.ts'
import { TickSetting } from './setting.tsx'
import { useDoing } from './use-doing.ts'
import { WebhookFields } from './webhook-fields.tsx'

const isAtField = (error: unknown) => error instanceof ApiError && ['url', 'filter'].some((name) => error.attributes.has(name))

const EMPTY: Wanted = { url: '', table_id: 0, actions: [], filter: '', active: true }

export function NewWebhook({ onMade, onClose }: { readonly onMade: (id: string) => void; readonly onClose: () => void }) {
  const say = useWords()
  const doing = useDoing()
  const [wanted, setWanted] = useState<Wanted>(EMPTY)
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string }>()
  useUnsaved(made || wanted === EMPTY ? undefined : JSON.stringify(wanted))
  return (
    <Panel title={say('hookNew')} icon="webhook" onClose={onClose}>
      {made ? (
        <Secret
          name={say('hookSecret', { name: hostOf(wanted.url) })}
          text={made.secret}
          lead={say('secretLead')}
          onClose={() => onMade(made.id)}
        />
      ) : (
        <form
          className="admin-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (doing.is !== 'saving') void doing.run(async () => setMade(await makeWebhook(wanted)))
          }}
        >
          <WebhookFields of={wanted} error={doing.error} onChange={(changes) => setWanted((before) => ({ ...before, ...changes }))} />
          {doing.is === 'refused' && !isAtField(doing.error) && <Trouble error={doing.error} />}
          <div className="row">
            <button className="button primary" disabled={doing.is === 'saving'}>
              {say('hookMake')}
            </button>
          </div>
        </form>
      )}
    </Panel>
  )
}

export function WebhookPanel({ webhook, onClose }: { readonly webhook: WebhookResource; readonly onClose: () => void }) {
  const say = useWords()
  const doing = useDoing()
  const people = useQuery(users).data?.data ?? []
  const [secret, setSecret] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const { id, attributes } = webhook
  const name = hostOf(attributes.url)
  const maker = people.find((one) => one.id === String(attributes.user_id))?.attributes
  const save = (changes: Partial<Wanted>) => doing.run(() => changeWebhook(id, changes))
  const remove = async () => {
    await removeWebhook(id)
    toast(say('hookRemoved', { name }))
    onClose()
  }
  return (
    <Panel title={name} icon="webhook" onClose={onClose}>
      <div className="admin-form">
        {doing.is === 'refused' && !isAtField(doing.error) && <Trouble error={doing.error} />}
        {secret !== undefined && (
          <Secret name={say('hookSecret', { name })} text={secret} lead={say('secretLead')} onClose={() => setSecret(undefined)} />
        )}
        <HookFault fault={attributes.fault} />
        <TickSetting
          name={say('hookActive')}
          hint={say('hookActiveHint')}
          value={attributes.active && attributes.fault === ''}
          onSave={(active) => void save({ active })}
        />
        <WebhookFields of={attributes} error={doing.error} onChange={save} />
        {maker && <p className="quiet">{say('hookBy', { name: String(maker['fio'] || maker['login']) })}</p>}
        <div className="row wrap">
          <button
            type="button"
            className="button line"
            onClick={() => void doing.run(async () => (await testWebhook(id), toast(say('hookTested'))))}
          >
            <Icon name="bolt" />
            {say('hookTest')}
          </button>
          <button
            type="button"
            className="button line"
            title={say('hookRenewHint')}
            onClick={() => void doing.run(async () => setSecret(await renewSecret(id)))}
          >
            <Icon name="key" />
            {say('hookRenew')}
          </button>
          <button type="button" className="button bad" onClick={() => setAsking(true)}>
            <Icon name="trash" />
            {say('hookRemove')}
          </button>
        </div>
        <p className="quiet">{say('hookRenewHint')}</p>
      </div>
      {isAsking && (
        <Question
          title={say('hookRemoveAsk', { name })}
          lost={say('hookRemoveLost')}
          yes={say('hookRemove')}
          no={say('hookKeep')}
          onYes={() => (setAsking(false), void doing.run(remove))}
          onClose={() => setAsking(false)}
        />
      )}
    </Panel>
  )
}

function HookFault({ fault }: { readonly fault: string }) {
  const say = useWords()
  if (fault === '') return null
  return (
    <div className="note warn" role="status">
      <Icon name="warn" />
      <span>{fault === 'gone' ? say('hookGone') : fault === 'restored' ? say('hookRestored') : say('hookFilterBad', { code: fault })}</span>
    </div>
  )
}
