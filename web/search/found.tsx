import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { locale } from '../api/preferences.ts'
import type { Resource } from '../api/client.ts'
import { fieldsOf, recordsWith, tables } from '../api/queries.ts'
import type { Hit, TableHits } from '../api/search.ts'
import { nowHere } from '../fields/dates.ts'
import { fieldOf, type Field, type TitleOf } from '../fields/field.ts'
import { Marked } from '../fields/marked.tsx'
import { marksIn, marksInPhone, snippet } from '../fields/marks.ts'
import { moreOf } from '../fields/more.ts'
import { titleFieldOf, useTitles } from '../fields/titles.ts'
import { typeOf } from '../fields/types.ts'
import { useWords } from '../i18n/words.ts'
import { Icon } from '../ui/icon.tsx'

/** Fields that are shown of each hit. */
const SHOWN = 3

/** The hits of one table: titles at once, the fields that matched when the records are there. */
export function Found({
  group: { table, name, total, hits },
  text,
  words,
}: {
  readonly group: TableHits
  readonly text: string
  readonly words: readonly string[]
}) {
  const say = useWords()
  const number = Number(table)
  const structure = useQuery(fieldsOf(number))
  const found = useQuery({ ...recordsWith(number, hits.map(({ id }) => id)), enabled: hits.length > 0 }) // prettier-ignore
  const fields = (structure.data?.data ?? []).map(fieldOf)
  const records = found.data?.data ?? []
  const all = useQuery(tables)
  const title = titleFieldOf(
    fields,
    all.data?.data.find(({ id }) => id === table),
  )
  const more = apart(hits, records, (record) => moreOf(fields, title, record))
  const titleOf = useTitles(undefined, fields.filter((one) => hits.some(({ attribute }) => attribute === one.name)), records.map(({ attributes }) => attributes)) // prettier-ignore
  return (
    <section className="found" aria-labelledby={`found-${table}`}>
      <h2 id={`found-${table}`}>
        <Icon name="grid" />
        <Link className="cut" to="/t/$table" params={{ table }}>
          {name}
        </Link>
        {total !== null && <span className="quiet num">{new Intl.NumberFormat(locale()).format(total)}</span>}
      </h2>
      {total === null ? (
        <div className="note warn">
          <Icon name="warn" />
          <span className="grow">{say('searchTooLarge')}</span>
          <Link className="button small" to="/t/$table" params={{ table }} search={{ q: text }}>
            {say('searchOpenTable')}
          </Link>
        </div>
      ) : (
        <ul className="hits">
          {hits.map((hit) => {
            const attributes = records.find(({ id }) => id === hit.id)?.attributes
            return (
              <li key={hit.id}>
                <Link className="hit" to="/t/$table/$record" params={{ table, record: hit.id }}>
                  <span className="hit-title cut">
                    {hit.title === '' ? say('record', { id: hit.id }) : <Marked {...snippet(hit.title, marksIn(hit.title, words))} />}
                    {more.get(hit.id) && <span className="hit-more"> {more.get(hit.id)}</span>}
                  </span>
                  {attributes &&
                    matched(fields, attributes, hit, words, titleOf).map(({ field, part }) => (
                      <span className="hit-field" key={field.id}>
                        <span className="quiet">
                          <bdi>{field.title}</bdi>:{' '}
                        </span>
                        <Marked {...part} />
                      </span>
                    ))}
                </Link>
              </li>
            )
          })}
        </ul>
      )}
      {total !== null && total > hits.length && (
        <Link className="text-link" to="/t/$table" params={{ table }} search={{ q: text }}>
          {say('showAll', { count: total })}
        </Link>
      )}
    </section>
  )
}

/** What stands beside the titles of hits: short values, and the number of the record where these are the same too. */
function apart(
  hits: readonly Hit[],
  records: readonly Resource[],
  valuesOf: (record: Resource) => readonly string[],
): ReadonlyMap<string, string> {
  const more = hits.flatMap(({ id, title }) => {
    const record = records.find((one) => one.id === id)
    const values = record && valuesOf(record)
    return values ? [{ id, values, name: JSON.stringify([title, ...values]) }] : []
  })
  const names = Map.groupBy(more, ({ name }) => name)
  return new Map(more.map(({ id, values, name }) => [id, [...values, ...(names.get(name)!.length > 1 ? [`#${id}`] : [])].join(' · ')]))
}

/** The fields besides the title that have some of the words, as they are shown. The service names one; others are found here. */
function matched(
  fields: readonly Field[],
  attributes: Readonly<Record<string, unknown>>,
  { title, attribute }: Hit,
  words: readonly string[],
  titleOf: TitleOf,
): readonly { readonly field: Field; readonly part: ReturnType<typeof snippet> }[] {
  const context = { locale: locale(), now: nowHere() }
  const some = fields.flatMap((field) => {
    const value = attributes[field.name]
    if (typeof value !== 'string' || value === '' || value === title) return []
    const marksOf = (text: string) => (field.type === 'phone' ? marksInPhone(text, words) : marksIn(text, words))
    const isNamed = field.name === attribute
    // References are searched by the ids, which nobody sees.
    if (!isNamed && (field.target !== null || marksOf(value).length === 0)) return []
    const text = typeOf(field).toText(value, field, titleOf, context)
    return [{ field, isNamed, part: snippet(text, marksOf(text)) }]
  })
  return some.sort((one, other) => Number(other.isNamed) - Number(one.isNamed)).slice(0, SHOWN)
}
