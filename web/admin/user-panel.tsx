import { useId, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { change } from '../api/administration.ts'
import { ApiError, type Resource } from '../api/client.ts'
import { invitationOf, invite, personOf, readAgain, withdraw } from '../api/people.ts'
import { groups, me } from '../api/queries.ts'
import { changeAct } from '../api/structure-acts.ts'
import { told } from '../i18n/refusals/told.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Secret } from '../ui/secret.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { toast } from '../ui/toast.tsx'
import { Trouble, useTrouble } from '../ui/trouble.tsx'
import { Panel } from './panel.tsx'
import { ADMINISTRATORS } from './rights.ts'
import { TextSetting } from './setting.tsx'
import { useActs } from './use-acts.ts'
import { useDoing } from './use-doing.ts'
import { ViewAs } from './view-as.tsx'
import { WhereSignedIn } from './where-signed-in.tsx'

/** One user; each change is saved by itself. `link`: of an invitation just made. */
export function UserPanel({ id, link, onClose }: { readonly id: string; readonly link: string | undefined; readonly onClose: () => void }) {
  const say = useWords()
  const person = useQuery(personOf(id))
  const user = person.data?.data
  const name = user && String(user.attributes['fio'] || user.attributes['login'])
  return (
    <Panel title={name ?? say('userOf', { id })} icon="user" onClose={onClose}>
      {person.error && !user ? (
        <Trouble error={person.error} />
      ) : !user || name === undefined ? (
        <Skeleton />
      ) : (
        <User user={user} name={name} link={link} />
      )}
    </Panel>
  )
}

function User({ user, name, link }: { readonly user: Resource; readonly name: string; readonly link: string | undefined }) {
  const say = useWords()
  const trouble = useTrouble()
  const id = useId()
  const doing = useDoing()
  const put = useActs(doing)
  const [last, setLast] = useState('')
  const known = useQuery(groups).data?.data ?? []
  const isMe = useQuery(me).data?.data.id === user.id
  const { attributes } = user
  const isArchived = Number(attributes['arc']) === 1
  const groupOf = (one: unknown) => String(known.find((group) => group.id === String(one))?.attributes['group_name'] ?? '')
  const save = (values: Readonly<Record<string, unknown>>) => {
    setLast(Object.keys(values)[0]!)
    return doing.run(() => change('user', user.id, values))
  }
  const wordsOf = (error: unknown): string =>
    !(error instanceof ApiError)
      ? trouble(error)
      : error.code === 'user.login_taken'
        ? say('userLoginTaken')
        : error.code === 'user.last_administrator'
          ? say('userLast')
          : ([...error.attributes.values()].map(told)[0] ?? trouble(error))
  const errorOf = (attribute: string) => (doing.is === 'refused' && last === attribute ? wordsOf(doing.error) : undefined)
  const text = (attribute: string) => ({
    value: String(attributes[attribute] ?? ''),
    error: errorOf(attribute),
    onSave: (value: string) => {
      setLast(attribute)
      return put(name, () => changeAct('user', user.id, { [attribute]: value.trim() }))
    },
  })

  async function move(group: string) {
    const before = attributes['group_id']
    if (await save({ group_id: Number(group) }))
      toast(say('userMoved', { name, group: groupOf(group) }), () => void save({ group_id: before }))
  }
  async function archive(arc: 0 | 1) {
    if (await save({ arc })) toast(say(arc === 1 ? 'userArchivedNow' : 'userBack', { name }), () => void save({ arc: 1 - arc }))
  }

  return (
    <div className="admin-form">
      <span className="state" role="status">
        {doing.is === 'saving' ? say('saving') : doing.is === 'saved' ? say('saved') : ''}
      </span>
      {isArchived && (
        <div className="note warn">
          <Icon name="warn" />
          <span className="grow">{say('usersArchived')}</span>
          <button type="button" className="button small" onClick={() => void archive(0)}>
            {say('userTakeBack')}
          </button>
        </div>
      )}
      <TextSetting name={say('userFullName')} {...text('fio')} />
      <TextSetting name={say('email')} {...text('e_mail')} />
      <TextSetting name={say('login')} {...text('login')} />
      {!isMe && (
        <div className="admin-field">
          <label className="name" htmlFor={id}>
            {say('userGroup')}
          </label>
          <Select id={id} value={String(attributes['group_id'])} onChoose={(group) => void move(group)}>
            {known.map((one) => (
              <option key={one.id} value={one.id}>
                {String(one.attributes['group_name'])}
              </option>
            ))}
          </Select>
          {errorOf('group_id') !== undefined && (
            <span className="admin-wrong" role="alert">
              {errorOf('group_id')}
            </span>
          )}
        </div>
      )}
      {!isArchived && attributes['group_id'] !== ADMINISTRATORS && <ViewAs user_id={Number(user.id)} name={name} />}
      {!isArchived && <Password user={user} name={name} link={link} />}
      {!isArchived && <WhereSignedIn user={user.id} />}
      {isMe ? (
        <p className="quiet">{say('userOwn')}</p>
      ) : (
        !isArchived && (
          <section>
            <p className="quiet">{say('userArchiveLead')}</p>
            <button type="button" className="button bad" onClick={() => void archive(1)}>
              <Icon name="eye-off" />
              {say('userArchive')}
            </button>
            {errorOf('arc') !== undefined && (
              <span className="admin-wrong" role="alert">
                {errorOf('arc')}
              </span>
            )}
          </section>
        )
      )}
    </div>
  )
}

/** A link by which the user chooses a password; administrators learn none. */
function Password({ user, name, link }: { readonly user: Resource; readonly name: string; readonly link: string | undefined }) {
  const say = useWords()
  const doing = useDoing()
  const open = useQuery(invitationOf(user.id)).data?.data[0]
  const [shown, setShown] = useState(link)
  const end = () =>
    void doing.run(async () => {
      if (open) await withdraw(open.id)
      setShown(undefined)
      toast(say('userWithdrawn', { name }))
    })
  return (
    <section className="admin-form">
      <h3>{say('userPassword')}</h3>
      {doing.is === 'refused' && <Trouble error={doing.error} />}
      {shown !== undefined ? (
        <Secret
          name={say('userLink', { name })}
          text={shown}
          lead={say('userLinkLead', { login: String(user.attributes['login']) })}
          onClose={() => {
            setShown(undefined)
            // They may have used it already.
            void readAgain(user.id)
          }}
        />
      ) : (
        <>
          {open && (
            <p className="row">
              <span className="grow">
                {say('userInvited')} <Time text={String(open.attributes['expires_at'])} />
              </span>
              <button type="button" className="button line small" onClick={end}>
                {say('userWithdraw')}
              </button>
            </p>
          )}
          <p className="quiet">{say('userResetLead')}</p>
          <div className="row">
            <button
              type="button"
              className="button line"
              disabled={doing.is === 'saving'}
              onClick={() => void doing.run(async () => setShown(await invite(user.id)))}
            >
              <Icon name="key" />
              {say('userReset')}
            </button>
          </div>
        </>
      )}
    </section>
  )
}
