import { fail } from '../../errors.ts'
import type { Expression } from '../../filter/ast.ts'
import { limits } from '../../limits.ts'
import { searchTables } from '../../store/records/search-tables.ts'
import { rightsOn } from '../../store/model/access.ts'
import { list } from '../answers/jsonapi.ts'
import { showsSearchResults, toSearchResult } from '../resources/search-result.ts'
import { pageLimit, pageOffset, searchText } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

export const searchAllTables = route({
  method: 'GET',
  path: '/api/dev/search',
  says: 'Looks for words in all tables that the caller may read: up to five hits of each, and how many there are. A page is a page of tables; those without a hit are left out.',
  token: 'tables',
  answers: showsSearchResults,
  fails: ['filter.invalid_value', 'parameter.missing'],
  query: { text: searchText, 'page[offset]': pageOffset, 'page[limit]': pageLimit },

  async run(request) {
    const { store, caller, catalogue, query } = request
    if (!request.parameters.has('text')) throw fail('parameter.missing', { name: 'text' }, { source: { parameter: 'text' } })
    const page = { offset: query['page[offset]'], limit: query['page[limit]'] }
    const tables = [...catalogue.tables.keys()]
      .filter((id) => rightsOn(id, caller, catalogue).has('read'))
      .sort((one, other) => one - other)
    const asked = tables.slice(page.offset, page.offset + page.limit)
    const found = await searchTables(store, caller, asked, searching(query.text), limits.searchTime.most)
    const results = found.map((one) => toSearchResult(one, query.text))
    return list(request, results, page, tables.length)
  },
})

/** The filter search('text'), whose failures name the parameter. */
const searching = (text: string): Expression => ({
  is: 'call',
  name: 'search',
  args: [{ is: 'literal', text, quoted: true, at: 0 }],
  at: 0,
  writtenIn: 'text',
})
