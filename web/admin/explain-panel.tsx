import { useId, useState, type FormEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Resource } from '../api/client.ts'
import { fieldsOf, users } from '../api/queries.ts'
import { explain, type Explanation } from '../api/rights.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'
import { Select } from '../ui/select.tsx'
import { TableOptions } from '../ui/table-options.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { Panel } from './panel.tsx'
import { RIGHTS } from './rights.ts'
import { rightWords } from './rule-panel.tsx'
import { useDoing } from './use-doing.ts'

/** Why somebody sees a record or a table, or does not. */
export function ExplainPanel({
  tables,
  groups,
  onClose,
}: {
  readonly tables: readonly Resource[]
  readonly groups: readonly Resource[]
  readonly onClose: () => void
}) {
  const say = useWords()
  const id = useId()
  const doing = useDoing()
  const people = (useQuery(users).data?.data ?? []).map((one) => ({
    id: one.id,
    name: String(one.attributes['fio'] || one.attributes['login']),
  }))
  const [user, setUser] = useState<string>()
  const [table, setTable] = useState<string>()
  const [record, setRecord] = useState('')
  const [answer, setAnswer] = useState<{ readonly user: string; readonly table: string; readonly explained: Explanation }>()
  const asked = { user: user ?? people[0]?.id ?? '', table: table ?? tables[0]?.id ?? '' }
  const nameOf = (one: string) => people.find((person) => person.id === one)?.name ?? ''

  function submit(event: FormEvent) {
    event.preventDefault()
    setAnswer(undefined)
    void doing.run(async () => setAnswer({ ...asked, explained: await explain(asked.user, asked.table, record.trim()) }))
  }

  return (
    <Panel title={say('explainTitle')} icon="eye" onClose={onClose}>
      <form className="admin-form" onSubmit={submit}>
        <p className="quiet">{say('explainLead')}</p>
        <div className="admin-field">
          <label className="name" htmlFor={`${id}-user`}>
            {say('explainUser')}
          </label>
          <Select id={`${id}-user`} value={asked.user} onChoose={setUser}>
            {people.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </Select>
        </div>
        <div className="admin-field">
          <label className="name" htmlFor={`${id}-table`}>
            {say('explainTable')}
          </label>
          <Select id={`${id}-table`} value={asked.table} onChoose={setTable}>
            <TableOptions tables={tables} />
          </Select>
        </div>
        <label className="admin-field">
          <span className="name">{say('explainRecord')}</span>
          <input
            className="input"
            inputMode="numeric"
            pattern="[1-9][0-9]*"
            value={record}
            onChange={({ target }) => setRecord(target.value)}
          />
        </label>
        <div className="row admin-end">
          <button className="button primary" disabled={asked.user === '' || asked.table === '' || doing.is === 'saving'}>
            {say('explainAsk')}
          </button>
        </div>
        {doing.is === 'refused' && <Trouble error={doing.error} />}
      </form>
      <div role="status">
        {answer && (
          <Answer
            explained={answer.explained}
            name={nameOf(answer.user)}
            table={tables.find((one) => one.id === answer.table)!}
            group={groups.find((one) => one.id === String(answer.explained.group_id))}
          />
        )}
      </div>
    </Panel>
  )
}

function Answer({
  explained,
  name,
  table,
  group,
}: {
  readonly explained: Explanation
  readonly name: string
  readonly table: Resource
  readonly group: Resource | undefined
}) {
  const say = useWords()
  const fields = useQuery(fieldsOf(Number(table.id))).data?.data ?? []
  const words = {
    name,
    table: String(table.attributes['table_name']),
    group: String(group?.attributes['group_name'] ?? ''),
    record: explained.record?.id ?? '',
  }
  const titleOf = (one: string) => String(fields.find(({ attributes }) => attributes['int_name'] === one)?.attributes['field_name'] ?? one)
  const held = RIGHTS.filter((right) => explained.rights[right] === true)
  const hidden = Object.entries(explained.attributes).flatMap(([one, state]) => (state === 'hidden' ? [titleOf(one)] : []))
  const missing = {
    no_right: 'explainNoRight',
    read_filter: 'explainFiltered',
    in_trash: 'explainTrash',
    not_found: 'explainNowhere',
  } as const
  const { record } = explained
  const verdict = !record
    ? held.length > 0
      ? 'explainTableSees'
      : 'explainTableNot'
    : record.missing !== null
      ? missing[record.missing]
      : record.writable && explained.rights['update'] === true
        ? 'explainSees'
        : 'explainSeesOnly'
  const isSeen = record ? record.exists : held.length > 0
  return (
    <div className="explained">
      <div className={`note${isSeen ? '' : ' warn'}`}>
        <Icon name={isSeen ? 'eye' : 'eye-off'} />
        <span className="grow">{say(verdict, words)}</span>
      </div>
      {explained.archived && <p>{say('explainArchived')}</p>}
      <dl className="pairs">
        {held.length > 0 && (
          <>
            <dt>{say('explainMay')}</dt>
            <dd>{held.length === RIGHTS.length ? say('levelAll') : held.map((right) => say(rightWords[right])).join(', ')}</dd>
          </>
        )}
        {explained.read_filter !== '' && (
          <>
            <dt>{say('explainFilter')}</dt>
            <dd className="mono">{explained.read_filter}</dd>
          </>
        )}
        {held.length > 0 && hidden.length > 0 && (
          <>
            <dt>{say('explainHiddenFields')}</dt>
            <dd>{hidden.join(', ')}</dd>
          </>
        )}
      </dl>
      {explained.group_id !== 1 && (
        <Link className="button line" to="/admin/rights" search={{ group: explained.group_id, table: Number(table.id) }}>
          {say('explainOpen')}
        </Link>
      )}
    </div>
  )
}
