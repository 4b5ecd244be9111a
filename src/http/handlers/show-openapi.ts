import { answers, unchanged } from '../answers/described.ts'
import type { Described } from '../documents/components.ts'
import { documentReply } from '../documents/keep-documents.ts'
import { openapi } from '../documents/openapi.ts'
import { ids } from '../routing/readers.ts'
import { route, type Route } from '../routing/route.ts'

/** `routes`: all of them, this one too; `resources`: the service's own. */
export const showOpenapi = (routes: () => readonly Route[], resources: readonly Described[]) =>
  route({
    method: 'GET',
    path: '/api/dev/openapi.json',
    says: 'The OpenAPI 3.1 document of this installation, with the tables and fields that the caller sees.',
    token: 'tables',
    answers: [answers({ media: 'application/json', schema: { type: 'object' } }), unchanged],
    headers: ['If-None-Match'],
    query: { tables: ids('Ids of tables, separated by commas: only these. Default: the first 100.') },

    async run(request) {
      const { tables } = request.query
      const about = ['openapi', tables && [...tables].sort((one, other) => one - other)]
      return documentReply(request, about, 'application/json', () => openapi({ ...request, routes: routes(), resources }, tables))
    },
  })
