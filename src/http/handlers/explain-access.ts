import { fail } from '../../errors.ts'
import { explainAccess as explain } from '../../store/structure/explain-access.ts'
import { showsMeta } from '../answers/described.ts'
import { done } from '../answers/jsonapi.ts'
import { explained, explanation } from '../resources/access.ts'
import { id } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

export const explainAccess = route({
  method: 'GET',
  path: '/api/dev/access/explain',
  says: 'Tells what a user may do with a table, and whether a record exists for them.',
  token: 'unlimited',
  answers: showsMeta(explanation, ['record']),
  fails: ['parameter.missing', 'resource.not_found', 'table.not_found', 'access.denied'],
  query: {
    user: id('The user.'),
    table: id('The table.'),
    record: id('A record of the table: whether it exists for the user, and why not.'),
  },

  async run({ store, caller, query }) {
    if (!caller.administrator) throw fail('access.denied', { what: 'ask for the rights of others' })
    for (const name of ['user', 'table'] as const)
      if (query[name] === 0) throw fail('parameter.missing', { name }, { source: { parameter: name } })
    const asked = { userId: query.user, tableId: query.table, recordId: query.record === 0 ? undefined : query.record }
    return done(explained(asked, await explain(store, caller, asked)))
  },
})
