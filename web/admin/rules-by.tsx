import { Link } from '@tanstack/react-router'
import { rulesBy, type Affected, type Effects } from '../api/administration.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

const parts = { read_filter: 'rulePartSees', write_filter: 'rulePartChanges', fields: 'rulePartField' } as const

/** Whose rule it is, with a way to it, and where it names the field. */
export function RuleNaming({ rule }: { readonly rule: Affected }) {
  const say = useWords()
  return (
    <>
      <Link className="text-link" to="/admin/rights" search={{ group: Number(rule.group_id), table: Number(rule.table_id) }}>
        {say('usedAccess', { name: rule.name })}
      </Link>{' '}
      ({(rule.named_in ?? []).map((part) => say(parts[part])).join(', ')})
    </>
  )
}

/** The rules by which the field decides who sees or changes which records; nothing where there are none. `role`: `alert` where it comes by what was done. */
export function RulesBy({
  effects,
  title,
  role,
}: {
  readonly effects: Effects | undefined
  readonly title: Message
  readonly role: 'alert' | 'note'
}) {
  const say = useWords()
  const rules = rulesBy(effects)
  if (rules.length === 0) return null
  return (
    <div className="note warn rules-by" role={role}>
      <Icon name="warn" />
      <div>
        <p>{say(title)}</p>
        <ul>
          {rules.map((rule) => (
            <li key={rule.id}>
              <RuleNaming rule={rule} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}
