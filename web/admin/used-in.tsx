import { useQuery } from '@tanstack/react-query'
import type { Effects } from '../api/administration.ts'
import { countOf } from '../api/queries.ts'
import type { Message } from '../i18n/messages.ts'
import { useWords } from '../i18n/words.ts'

const words: Readonly<Record<string, Message>> = {
  field: 'usedField',
  filter: 'usedFilter',
  view: 'usedView',
  access: 'usedAccess',
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
              {effects.listed.map(({ type, id, name }) => (
                <li key={`${type} ${id}`}>{Object.hasOwn(words, type) ? say(words[type]!, { name }) : name}</li>
              ))}
              {total > effects.listed.length && <li className="quiet">{say('moreOf', { count: total - effects.listed.length })}</li>}
            </ul>
          )}
        </>
      )}
    </section>
  )
}
