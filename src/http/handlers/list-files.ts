import { fail } from '../../errors.ts'
import { grant } from '../../store/model/access.ts'
import { listFiles as filesOf } from '../../store/records/files.ts'
import { showsWhole } from '../answers/described.ts'
import { whole } from '../answers/jsonapi.ts'
import { selection, text } from '../routing/readers.ts'
import { fieldName, fileAttributes, toResource, withContent } from '../resources/file.ts'
import { route } from '../routing/route.ts'

export const listFiles = route({
  method: 'GET',
  path: '/api/dev/file/{table}/{field:text}/{record}',
  says: 'Lists the files of a field; with filename only that file, with its content.',
  token: 'tables',
  answers: showsWhole('file'),
  fails: ['file.not_found', 'file.field_not_found'],
  query: { filename: text('Only the file of this name, with its content.') },
  sparseFields: true,

  async run(request) {
    const { store, caller, catalogue, params, query } = request
    const granted = grant('read', params.table, caller, catalogue)
    const chosen = selection(request, { file: new Set(Object.keys(fileAttributes)) }).get('file')
    const files = await filesOf(store, granted, fieldName(params.field), params.record)
    if (query.filename === undefined) {
      const resources = files.map((file) => toResource(params, file, false, chosen))
      return whole(request, resources)
    }
    const file = files.find(({ name }) => name === query.filename)
    if (!file || (await store.files.stat(file.hash)) === undefined)
      throw fail('file.not_found', { name: query.filename }, { source: { parameter: 'filename' } })
    const reply = whole(request, [toResource(params, file, true, chosen)])
    return (chosen?.has('content') ?? true) ? withContent(reply, file, () => store.files.stream(file.hash)) : reply
  },
})
