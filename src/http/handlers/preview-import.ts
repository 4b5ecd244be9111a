import { showsMeta } from '../answers/described.ts'
import { done } from '../answers/jsonapi.ts'
import { importDraft, previewed, shownPreview } from '../resources/import-draft.ts'
import { route } from '../routing/route.ts'

const text = { type: 'string' }
const texts = { type: 'array', items: text }

export const previewImport = route({
  method: 'GET',
  path: '/api/dev/job/{id}/preview',
  says: 'Shows the beginning of the file of an import, and what becomes of each column. Nothing is changed.',
  token: 'tables',
  answers: showsMeta({
    file_name: text,
    table_name: text,
    format: { enum: ['csv', 'jsonl', 'xlsx'] },
    encoding: text,
    delimiter: text,
    sheets: texts,
    header: texts,
    rows: { type: 'array', items: { type: 'object', properties: { line: { type: 'integer' }, values: texts } } },
    columns: { type: 'array', items: { type: 'object' } },
    update_by: { type: ['string', 'null'] },
  }),
  fails: ['resource.not_found', 'import.no_file', 'import.unreadable', 'import.unfit', 'server.busy'],
  query: {},

  async run(request) {
    const draft = await importDraft(request)
    return done(shownPreview(draft, await previewed(request, draft)))
  },
})
