import { useId, useRef, useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Resource } from '../api/client.ts'
import { fieldsOf } from '../api/queries.ts'
import { setRule } from '../api/rights.ts'
import { fieldOf } from '../fields/field.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Choice } from '../ui/choice.tsx'
import { toast } from '../ui/toast.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { levelWords } from './level.tsx'
import { Panel } from './panel.tsx'
import { inPlaces } from './places.ts'
import { CHANGE, levelOf, rightsOf, SEE, SPECIAL, withNeeded, type Level, type Right, type Rule } from './rights.ts'
import { RuleFields } from './rule-fields.tsx'
import { RuleFilter } from './rule-filter.tsx'
import { ViewAs } from './view-as.tsx'
import { useDoing } from './use-doing.ts'

export const rightWords = {
  read: 'rightRead',
  print: 'rightPrint',
  create: 'rightCreate',
  update: 'rightUpdate',
  delete: 'rightDelete',
  archive: 'rightArchive',
  bed: 'rightBed',
  sms: 'rightSms',
  send: 'rightSend',
  free_sms_template: 'rightFreeSms',
  free_mail_template: 'rightFreeMail',
  standart_template: 'rightTemplate',
} as const satisfies Readonly<Record<Right, Message>>

type Values = Readonly<Record<string, unknown>>

const nothing: Values = Object.fromEntries([...SEE, ...CHANGE, ...SPECIAL].map((right) => [right, false]))

/** What one group may do with one table. Each change is saved at once; the toast takes it back. */
export function RulePanel({
  group,
  table,
  rule,
  onClose,
}: {
  readonly group: Resource
  readonly table: Resource
  readonly rule: Resource | undefined
  readonly onClose: () => void
}) {
  const say = useWords()
  const doing = useDoing()
  const [last, setLast] = useState('')
  const fields = useQuery(fieldsOf(Number(table.id))).data?.data
  // What has been changed stands there before it is saved; where it is refused, what the service has comes back.
  const [wanted, setWanted] = useState<Values>()
  const latest = useRef(0)
  const set: Rule = { ...rule?.attributes, ...wanted }
  const names = { group: String(group.attributes['group_name']), table: String(table.attributes['table_name']) }
  const level = levelOf(set)

  function put(values: Values | null) {
    setLast(values && Object.keys(values).length === 1 ? Object.keys(values)[0]! : '')
    const mine = ++latest.current
    setWanted((now) => ({ ...now, ...(values ?? nothing) }))
    const work = doing.run(async () => {
      const before = await setRule(Number(group.id), Number(table.id), values)
      toast(say(values ? 'rightsSaved' : 'rightsTaken', names), () => put(before))
    })
    void work.then(() => mine === latest.current && setWanted(undefined))
  }
  const errorOf = (name: string) => (doing.is === 'refused' && last === name ? doing.error : undefined)
  const isElsewhere = doing.is === 'refused' && last !== 'read_filter' && last !== 'write_filter'
  const tick = (right: Right) => (
    <Tick key={right} name={say(rightWords[right])} isSet={set[right] === true} onChange={(isSet) => put(withNeeded(right, isSet))} />
  )
  const known = inPlaces(fields ?? [], 'sequence_number').map(fieldOf)

  return (
    <Panel
      title={say('rightsIn', names)}
      icon="shield"
      onClose={onClose}
      state={
        <span className="state" role="status">
          {doing.is === 'saving' ? say('saving') : doing.is === 'saved' ? say('saved') : ''}
        </span>
      }
    >
      <div className="rule">
        {isElsewhere && <Trouble error={doing.error} />}
        <Choice<Level>
          name={say('rightsPreset')}
          value={level}
          options={(['none', 'read', 'work', 'all', ...(level === 'mix' ? (['mix'] as const) : [])] as const).map((one) => [
            one,
            say(levelWords[one]),
          ])}
          onChoose={(one) => one !== 'mix' && put(one === 'none' ? null : rightsOf(one))}
        />
        {level === 'none' && <p className="quiet">{say('rightsNone')}</p>}
        <ViewAs group_id={Number(group.id)} name={names.group} />
        <Part title={say('rightsSee')}>
          {SEE.map(tick)}
          <Tick
            name={say('rightAssignable')}
            hint={say('rightAssignableHint')}
            isSet={set.assignable === true}
            onChange={(assignable) => put({ assignable })}
          />
          {rule && fields && (
            <RuleFilter
              title={say('rightsWhichSee')}
              fields={known}
              value={set.read_filter ?? ''}
              error={errorOf('read_filter')}
              onSave={(read_filter) => put({ read_filter })}
            />
          )}
        </Part>
        <Part title={say('rightsChange')}>
          {CHANGE.map(tick)}
          {rule && fields && (
            <RuleFilter
              title={say('rightsWhichChange')}
              hint={say('rightsAfter')}
              fields={known}
              value={set.write_filter ?? ''}
              error={errorOf('write_filter')}
              onSave={(write_filter) => put({ write_filter })}
            />
          )}
        </Part>
        {rule && <RuleFields fields={known} written={set.fields} onSave={(written) => put({ fields: written })} />}
        <Part title={say('rightsSpecial')} hint={say('rightsSpecialHint')}>
          {SPECIAL.map(tick)}
        </Part>
      </div>
    </Panel>
  )
}

function Part({ title, hint, children }: { readonly title: string; readonly hint?: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="rule-part">
        {title} {hint !== undefined && <small>{hint}</small>}
      </h3>
      {children}
    </section>
  )
}

/** Yes or no, saved at once. */
function Tick({
  name,
  hint,
  isSet,
  onChange,
}: {
  readonly name: string
  readonly hint?: string
  readonly isSet: boolean
  readonly onChange: (isSet: boolean) => void
}) {
  return (
    <label className="right">
      <span className="grow">
        {name}
        {hint !== undefined && <small>{hint}</small>}
      </span>
      <input type="checkbox" className="tick" checked={isSet} onChange={({ target }) => onChange(target.checked)} />
    </label>
  )
}
