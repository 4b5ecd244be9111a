import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { people, USERS_ON_PAGE } from '../api/people.ts'
import { groups, me } from '../api/queries.ts'
import { useWords } from '../i18n/words.ts'
import { Choice } from '../ui/choice.tsx'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Initials } from '../ui/initials.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { NewUser } from './new-user.tsx'
import { OnlyAdministrators } from './only-administrators.tsx'
import type { UsersSearch } from './people-search.ts'
import { UserPanel } from './user-panel.tsx'
import './operation.css'
import './people.css'

/** All who may sign in: found, invited, moved to another group, archived. */
export const UsersPage = () => (
  <OnlyAdministrators of="user">
    <Users />
  </OnlyAdministrators>
)

function Users() {
  const say = useWords()
  const navigate = useNavigate()
  const search = useSearch({ from: '/framed/admin/users' })
  const { q = '', group, archived = false, page = 1, user: open } = search
  const [link, setLink] = useState<{ readonly user: string; readonly text: string }>()
  const wish = { words: q, group, isArchived: archived, page }
  // The list of before stays in sight while words are typed.
  const list = useQuery({ ...people(wish), placeholderData: (before) => before })
  const known = useQuery(groups).data?.data ?? []
  const mine = useQuery(me).data?.data.id
  const groupOf = (id: unknown) => String(known.find((one) => one.id === String(id))?.attributes['group_name'] ?? '')
  const show = (next: UsersSearch, isTyped = false) =>
    void navigate({ to: '/admin/users', search: { ...search, ...next }, replace: isTyped })
  const close = () => show({ user: undefined })
  const total = list.data?.meta?.total ?? 0

  return (
    <>
      <Head title={say('usersTitle')}>
        <button type="button" className="button primary" onClick={() => show({ user: 'new' })}>
          <Icon name="plus" />
          {say('userInvite')}
        </button>
      </Head>
      <div className="designer" data-open={open !== undefined || undefined}>
        <div className="admin">
          <search className="people-search">
            <label className="input grow">
              <Icon name="search" />
              <input
                type="search"
                aria-label={say('usersSearch')}
                placeholder={say('usersSearch')}
                defaultValue={q}
                onChange={({ target }) => show({ q: target.value || undefined, page: undefined }, true)}
              />
            </label>
            <Select
              name={say('userGroup')}
              value={String(group ?? '')}
              onChoose={(id) => show({ group: Number(id) || undefined, page: undefined })}
            >
              <option value="">{say('usersAllGroups')}</option>
              {known.map(({ id, attributes }) => (
                <option key={id} value={id}>
                  {String(attributes['group_name'])}
                </option>
              ))}
            </Select>
            <Choice
              name={say('usersWhich')}
              value={archived ? 'archived' : 'active'}
              options={[
                ['active', say('usersActive')],
                ['archived', say('usersArchived')],
              ]}
              onChoose={(which) => show({ archived: which === 'archived' || undefined, page: undefined })}
            />
          </search>
          {list.error && !list.data ? (
            <Trouble error={list.error} again={() => void list.refetch()} />
          ) : !list.data ? (
            <Skeleton />
          ) : list.data.data.length === 0 ? (
            <section className="empty">
              <h2>{say('usersNone')}</h2>
              <p>{say('usersNoneLead')}</p>
            </section>
          ) : (
            <>
              <ul className="admin-tables people">
                {list.data.data.map(({ id, attributes }) => (
                  <li key={id} className={id === String(open) ? 'row at' : 'row'}>
                    <Link
                      className="admin-open row grow"
                      to="/admin/users"
                      search={{ ...search, user: Number(id) }}
                      aria-current={id === String(open) || undefined}
                    >
                      <Initials name={String(attributes['fio'] || attributes['login'])} />
                      <span className="grow">
                        <b className="cut">{String(attributes['fio'] || attributes['login'])}</b>
                        <small className="cut">{[attributes['login'], attributes['e_mail']].filter(Boolean).map(String).join(' · ')}</small>
                      </span>
                      {id === mine && <span className="pill good">{say('userYou')}</span>}
                      <span className="pill calm cut">{groupOf(attributes['group_id'])}</span>
                    </Link>
                  </li>
                ))}
              </ul>
              <div className="row people-foot">
                <span className="quiet grow">{say('usersCount', { count: total })}</span>
                {total > USERS_ON_PAGE && (
                  <>
                    <button type="button" className="button line" disabled={page <= 1} onClick={() => show({ page: page - 1 })}>
                      {say('previousPage')}
                    </button>
                    <button
                      type="button"
                      className="button line"
                      disabled={page * USERS_ON_PAGE >= total}
                      onClick={() => show({ page: page + 1 })}
                    >
                      {say('nextPage')}
                    </button>
                  </>
                )}
              </div>
            </>
          )}
        </div>
        {open === 'new' ? (
          <NewUser
            group={group}
            onClose={close}
            onMade={(user, text) => {
              if (text !== undefined) setLink({ user, text })
              show({ user: Number(user) })
            }}
          />
        ) : (
          open !== undefined && (
            <UserPanel key={open} id={String(open)} link={link?.user === String(open) ? link.text : undefined} onClose={close} />
          )
        )}
      </div>
    </>
  )
}
