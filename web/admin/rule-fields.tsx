import { useId } from 'react'
import type { Field } from '../fields/field.ts'
import { typeOf } from '../fields/types.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Choice } from '../ui/choice.tsx'
import { Icon } from '../ui/icon.tsx'
import { isFixed, readFields, stateOf, SYSTEM, withOthers, withStates, type Rule } from './rights.ts'

const states = ['writable', 'read_only', 'hidden'] as const
const stateWords = { writable: 'fieldWritable', read_only: 'fieldReadOnly', hidden: 'fieldHidden' } as const
const systemWords = {
  user_id: 'attributeUser',
  add_time: 'attributeAdded',
  update_time: 'attributeUpdated',
  status: 'attributeStatus',
} as const satisfies Readonly<Record<(typeof SYSTEM)[number], Message>>

/** Each field is written, read or hidden; fields made later are as it says above. */
export function RuleFields({
  fields,
  written,
  onSave,
}: {
  readonly fields: readonly Field[]
  readonly written: Rule['fields']
  readonly onSave: (written: NonNullable<Rule['fields']>) => void
}) {
  const say = useWords()
  const id = useId()
  const rights = readFields(written)
  const all = [
    ...fields.map(({ name, title, type }) => ({ name, title, icon: typeOf({ type }).icon, isFixed: isFixed(name, type) })),
    ...SYSTEM.map((name) => ({ name, title: say(systemWords[name]), icon: 'history', isFixed: isFixed(name) })),
  ]
  const shown = (one: (typeof all)[number]) => stateOf(rights, one)
  const seen = all.filter((one) => shown(one) !== 'hidden').length
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="rule-part">
        {say('rightsFields')} <small>{say('rightsFieldsSeen', { seen, all: all.length })}</small>
      </h3>
      <Choice
        name={say('rightsNewFields')}
        value={rights.others}
        options={[
          ['writable', say('rightsNewSeen')],
          ['hidden', say('rightsNewHidden')],
        ]}
        onChoose={(others) => onSave(withOthers(rights, all, others))}
      />
      <table className="tri">
        <thead>
          <tr>
            <th scope="col">{say('designerField')}</th>
            {states.map((state) => (
              <th key={state} scope="col">
                {say(stateWords[state])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{say('rightsAllAre')}</th>
            {states.map((state) => (
              <td key={state}>
                <input
                  type="radio"
                  name={`${id}-all`}
                  aria-label={`${say('rightsAllAre')}: ${say(stateWords[state])}`}
                  checked={all.every((one) => shown(one) === (one.isFixed && state === 'writable' ? 'read_only' : state))}
                  onChange={() => onSave(withStates(rights, all, state))}
                />
              </td>
            ))}
          </tr>
          {all.map((one) => (
            <tr key={one.name} className={shown(one) === 'hidden' ? 'off' : ''}>
              <th scope="row" title={one.title}>
                <span className="row">
                  <Icon name={one.icon} size="s" />
                  <span className="cut">{one.title}</span>
                </span>
              </th>
              {states.map((state) => (
                <td key={state}>
                  {!(one.isFixed && state === 'writable') && (
                    <input
                      type="radio"
                      name={`${id}-${one.name}`}
                      aria-label={`${one.title}: ${say(stateWords[state])}`}
                      checked={shown(one) === state}
                      onChange={() => onSave(withStates(rights, [one], state))}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
