import { tableDocument } from '../../documents/record-schema.ts'
import { grant } from '../../store/model/access.ts'
import { answers, unchanged } from '../answers/described.ts'
import { documentReply } from '../documents/keep-documents.ts'
import { route } from '../routing/route.ts'

const SCHEMA = 'application/schema+json'

export const showTableSchema = route({
  method: 'GET',
  path: '/api/dev/schema/data{table}',
  says: 'The JSON Schema of the records of a table, as the caller sees them; $defs has the attributes as requests may send them.',
  token: 'tables',
  answers: [answers({ media: SCHEMA, schema: { type: 'object' } }), unchanged],
  headers: ['If-None-Match'],
  query: {},

  async run(request) {
    const { caller, catalogue, params } = request
    const granted = grant('read', params.table, caller, catalogue)
    return documentReply(request, ['schema', params.table], SCHEMA, async () => JSON.stringify(tableDocument(granted)))
  },
})
