import type { Found } from '../../store/records/search-tables.ts'
import type { Schema } from '../../fields/field-type.ts'
import { answers, component, object } from '../answers/described.ts'
import { percentEncode, type ResourceObject } from '../answers/jsonapi.ts'

const text: Schema = { type: 'string' }
const whole: Schema = { type: 'integer', minimum: 0 }

/** A page of tables in which words were found. */
export const showsSearchResults = answers({
  schema: object({
    data: {
      type: 'array',
      items: object({
        type: { const: 'search_result' },
        id: text,
        attributes: object({
          table_id: whole,
          table_name: text,
          total: { type: ['integer', 'null'] },
          complete: { type: 'boolean' },
          hits: { type: 'array', items: object({ type: text, id: text, title: text, attribute: text }) },
        }),
        links: object({ related: text }),
      }),
    },
    links: object({ self: text, first: text, prev: text, next: text, last: text }, ['self', 'last']),
    meta: object({ offset: whole, limit: text, total: whole }),
    jsonapi: component('jsonapi'),
  }),
})

/** What one table has of the words of a search; its id is that of the table. It has no address of its own; the link leads to the list of all its hits. */
export function toSearchResult({ table, total, hits }: Found, text: string): ResourceObject {
  const type = `data${table.id}`
  const related = `/api/dev/${type}?filter=${percentEncode(`search('${text.replaceAll("'", "''")}')`)}`
  return {
    type: 'search_result',
    id: String(table.id),
    attributes: {
      table_id: table.id,
      table_name: table.title,
      total: total ?? null,
      complete: total !== undefined,
      hits: hits.map(({ id, title, attribute }) => ({ type, id: String(id), title, attribute })),
    },
    links: { related },
  }
}
