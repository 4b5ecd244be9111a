import { Fragment } from 'react'
import { useQuery } from '@tanstack/react-query'
import { users } from '../api/queries.ts'
import { lastChangeOf } from '../api/records.ts'
import { shownDateTime } from '../fields/plain.ts'
import { useWords } from '../i18n/words.ts'
import type { OpenRecord } from './use-record.ts'

/** Who made the record, and who changed it last, with the times; what the person may not see is left out. */
export function Made({ of: { number, record, attributes, isGone } }: { readonly of: OpenRecord }) {
  const say = useWords()
  const people = useQuery(users).data?.data ?? []
  const last = useQuery({ ...lastChangeOf(number, record), enabled: !isGone }).data
  const nameOf = (id: unknown): string | undefined => {
    const person = people.find((one) => one.id === String(id))
    return person && String(person.attributes['fio'] || person.attributes['login'])
  }
  const made = told(attributes['add_time'])
  const maker = nameOf(attributes['user_id'])
  const changer = nameOf(last?.user)
  const parts = [
    made && (maker ? say('madeAtBy', { time: made, name: maker }) : say('madeAt', { time: made })),
    !made && maker && say('madeBy', { name: maker }),
    last && (changer ? say('changedAtBy', { time: told(last.at), name: changer }) : say('changedAt', { time: told(last.at) })),
  ].flatMap((part) => part || [])
  if (parts.length === 0) return null
  return (
    <p className="made quiet">
      {parts.map((part, i) => (
        <Fragment key={part}>
          {i > 0 && ' · '}
          <span>{part}</span>
        </Fragment>
      ))}
    </p>
  )
}

const told = (time: unknown): string => (typeof time === 'string' ? shownDateTime(time) : '')
