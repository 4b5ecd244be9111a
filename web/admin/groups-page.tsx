import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { make } from '../api/administration.ts'
import { ApiError, type Resource } from '../api/client.ts'
import { copyGroup, membersOf, removeGroup, rules } from '../api/people.ts'
import { groups } from '../api/queries.ts'
import { changeAct } from '../api/structure-acts.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Question } from '../ui/question.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { toast } from '../ui/toast.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { ActionsMenu } from './actions-menu.tsx'
import { ADMINISTRATORS } from './rights.ts'
import { NameForm } from './name-form.tsx'
import { OnlyAdministrators } from './only-administrators.tsx'
import { useViewAs } from './view-as.tsx'
import { useActs } from './use-acts.ts'
import { useDoing, type Doing } from './use-doing.ts'
import './people.css'

/** Ids of other groups that every service has. */
const MANAGERS = 2
const CLIENTS = 3

/** Who belongs together: rights are given to groups. */
export const GroupsPage = () => (
  <OnlyAdministrators of="group">
    <Groups />
  </OnlyAdministrators>
)

function Groups() {
  const say = useWords()
  const list = useQuery(groups)
  const all = useQuery(rules)
  const doing = useDoing()
  const [isAsking, setAsking] = useState(false)
  const [going, setGoing] = useState<Resource>()
  const rulesOf = (group: string) => (all.data ?? []).filter((one) => String(one.attributes['group_id']) === group).length
  const nameOf = (group: Resource) => String(group.attributes['group_name'])
  const isInUse = doing.is === 'refused' && doing.error instanceof ApiError && doing.error.code === 'group.in_use'

  return (
    <>
      <Head title={say('groupsTitle')}>
        <button type="button" className="button primary" onClick={() => setAsking(true)}>
          <Icon name="plus" />
          {say('groupNew')}
        </button>
      </Head>
      <div className="admin">
        {doing.is === 'refused' && !isInUse && <Trouble error={doing.error} />}
        {isAsking && (
          <NameForm
            label={say('groupName')}
            action={say('adminMake')}
            onName={(name) => {
              setAsking(false)
              void doing.run(() => make('group', { group_name: name }))
            }}
            onCancel={() => setAsking(false)}
          />
        )}
        {list.error && !list.data ? (
          <Trouble error={list.error} again={() => void list.refetch()} />
        ) : !list.data ? (
          <Skeleton />
        ) : (
          <ul className="admin-tables people">
            {list.data.data.map((group) => (
              <GroupLine key={group.id} group={group} tables={rulesOf(group.id)} doing={doing} onDelete={() => setGoing(group)} />
            ))}
          </ul>
        )}
      </div>
      {going && (
        <GroupEnd
          group={going}
          tables={rulesOf(going.id)}
          onClose={() => setGoing(undefined)}
          onYes={() => {
            setGoing(undefined)
            void doing.run(async () => {
              await removeGroup(going.id)
              toast(say('groupGone', { name: nameOf(going) }))
            })
          }}
        />
      )}
    </>
  )
}

function GroupLine({
  group,
  tables,
  doing,
  onDelete,
}: {
  readonly group: Resource
  readonly tables: number
  readonly doing: Doing
  readonly onDelete: () => void
}) {
  const say = useWords()
  const viewAs = useViewAs()
  const put = useActs(doing)
  const [asks, setAsks] = useState<'name' | 'copy'>()
  const count = useQuery(membersOf(Number(group.id))).data?.meta?.total
  const id = Number(group.id)
  const name = String(group.attributes['group_name'])
  const isBuiltIn = id <= CLIENTS
  if (asks !== undefined)
    return (
      <li>
        <NameForm
          label={asks === 'name' ? say('adminNameOf', { name }) : say('groupName')}
          initial={asks === 'name' ? name : say('groupCopyOf', { name })}
          action={say(asks === 'name' ? 'adminRename' : 'adminMake')}
          onName={(next) => {
            setAsks(undefined)
            if (asks === 'name') void put(next, () => changeAct('group', group.id, { group_name: next }))
            else void doing.run(() => copyGroup(group.id, next))
          }}
          onCancel={() => setAsks(undefined)}
        />
      </li>
    )
  return (
    <li className="row">
      <Link className="admin-open row grow" to="/admin/users" search={{ group: id }}>
        <Icon name="users" />
        <span className="grow">
          <b className="cut">{name}</b>
          <small className="cut">
            {say('groupReaches')}: {id === ADMINISTRATORS ? say('groupAdmins') : say('groupRules', { count: tables })}
            {id === MANAGERS && ` · ${say('groupManagers')}`}
            {isBuiltIn && (
              <>
                {' · '}
                <span className="whole">{say('groupBuiltIn')}</span>
              </>
            )}
          </small>
        </span>
        <span className="num quiet">{count === undefined ? '' : say('usersCount', { count })}</span>
      </Link>
      <ActionsMenu
        title={say('adminMoreOf', { name })}
        actions={[
          { title: say('adminRename'), icon: 'edit', run: () => setAsks('name') },
          ...(id === ADMINISTRATORS ? [] : [{ title: say('groupCopy'), icon: 'copy', run: () => setAsks('copy') }]),
          ...(id === ADMINISTRATORS ? [] : [{ title: say('viewAsName', { name }), icon: 'eye', run: () => viewAs({ group_id: id }) }]),
          ...(isBuiltIn ? [] : [{ title: say('groupDelete'), icon: 'trash', isBad: true as const, run: onDelete }]),
        ]}
      />
    </li>
  )
}

/** The question before a group is deleted, or what stands in the way. */
function GroupEnd({
  group,
  tables,
  onYes,
  onClose,
}: {
  readonly group: Resource
  readonly tables: number
  readonly onYes: () => void
  readonly onClose: () => void
}) {
  const say = useWords()
  const name = String(group.attributes['group_name'])
  const { data } = useQuery({ ...membersOf(Number(group.id)), staleTime: 0 })
  const count = data?.meta?.total
  if (count === undefined) return null
  if (count > 0)
    return (
      <div className="note warn group-in-use" role="alert">
        <Icon name="warn" />
        <span className="grow">{say('groupInUse', { count, name })}</span>
        <Link className="button small" to="/admin/users" search={{ group: Number(group.id) }}>
          {say('groupShowPeople')}
        </Link>
        <button type="button" className="button small square" aria-label={say('close')} onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
    )
  return (
    <Question
      title={say('groupDeleteAsk', { name })}
      lost={say('groupDeleteLost', { count: tables })}
      yes={say('groupDelete')}
      no={say('groupKeep')}
      onYes={onYes}
      onClose={onClose}
    />
  )
}
