import { useQuery } from '@tanstack/react-query'
import type { Affected, Effects } from '../api/administration.ts'
import { countOf } from '../api/queries.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'
import { RuleNaming } from './rules-by.tsx'

const words: Readonly<Record<string, Message>> = {
  field: 'usedField',
  filter: 'usedFilter',
  view: 'usedView',
  webhook: 'usedWebhook',
}

/** In how many records a field is filled in, and what names it. */
export function UsedIn({ table, effects }: { readonly table: number; readonly effects: Effects | undefined }) {
  const say = useWords()
  const all = useQuery(countOf(table)).data?.meta?.total
  const total = Object.values(effects?.counts ?? {}).reduce((sum, count) => sum + count, 0)
  return (
    <section className="used-in">
      <h3>{say('fieldUsed')}</h3>
      {effects && (
        <>
          {all !== undefined && <p>{say('fieldFilled', { count: effects.records, total: all })}</p>}
          {effects.listed.length === 0 ? (
            <p className="quiet">{say('fieldUsedNowhere')}</p>
          ) : (
            <ul>
              {effects.listed.map((one) => (
                <li key={`${one.type} ${one.id}`}>
                  <UseNaming use={one} />
                </li>
              ))}
              {total > effects.listed.length && <li className="quiet">{say('moreOf', { count: total - effects.listed.length })}</li>}
            </ul>
          )}
        </>
      )}
    </section>
  )
}

/** What names a field. */
export function UseNaming({ use }: { readonly use: Affected }) {
  const say = useWords()
  if (use.type === 'access') return <RuleNaming rule={use} />
  // The address of a webhook may be a secret.
  const name = use.name || use.id
  return Object.hasOwn(words, use.type) ? say(words[use.type]!, { name }) : name
}
