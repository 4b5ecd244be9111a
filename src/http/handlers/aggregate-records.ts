import { parseFigures, parseGrouping } from '../../filter/aggregate.ts'
import { grant } from '../../store/model/access.ts'
import { object, showsMeta } from '../answers/described.ts'
import { done } from '../answers/jsonapi.ts'
import { changeCursor, withCursor } from '../resources/change-cursor.ts'
import { filter, text, wanted } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

/** The figures of some records, by function; by attribute those of all but `count`. */
const ofAttributes = { type: 'object', additionalProperties: { type: ['string', 'null'] } }
const shown = { count: { type: 'integer', minimum: 0 }, sum: ofAttributes, avg: ofAttributes, min: ofAttributes, max: ofAttributes }
const figures = object(shown, [])
const group = object({ value: { type: 'string' }, label: { type: 'string' }, ...shown }, ['value', 'label'])

export const aggregateRecords = route({
  method: 'GET',
  path: '/api/dev/data{table}/aggregate',
  says: 'Counts the records that match a filter, and computes sums, averages and ends of their values, in all and by group.',
  token: 'tables',
  answers: showsMeta({ all: figures, groups: { type: 'array', items: group } }, ['groups']),
  fails: ['aggregate.too_many_groups', 'attribute.unknown', 'server.query_timeout'],
  query: {
    filter,
    function: text('Up to 16 of `count`, `sum:f4`, `avg:f4`, `min:f4` and `max:f4`, separated by commas. Default: `count`.'),
    groupBy: text('An attribute; a date with `:year`, `:quarter`, `:month`, `:week` or `:day`. Default: no groups.'),
    changeCursor,
  },
  legacyFilter: true,

  async run(request) {
    const { store, caller, catalogue, params, query } = request
    const granted = grant('read', params.table, caller, catalogue)
    const asked = parseFigures(query.function ?? '', granted.allAttributes)
    const grouping = parseGrouping(query.groupBy ?? '', granted.allAttributes)
    return withCursor(request, async () => {
      const { all, groups } = await store.pages.aggregate(granted, { ...asked, grouping, filter: wanted(request) })
      return done({ all, ...(groups && { groups }) })
    })
  },
})
