import { fail } from '../../errors.ts'
import { grant } from '../../store/access.ts'
import { listFiles as filesOf } from '../../store/files.ts'
import { whole } from '../jsonapi.ts'
import { text } from '../readers.ts'
import { fieldName, fileAttributes, toResource } from '../resources/file.ts'
import { route } from '../route.ts'

export const listFiles = route({
  method: 'GET',
  path: '/api/dev/file/{table}/{field:text}/{record}',
  says: 'Lists the files of a file field; with filename that one alone, its content with it.',
  token: 'tables',
  query: { filename: text },
  sparseFields: { file: fileAttributes },

  async run(request) {
    const { store, caller, catalogue, params, query } = request
    const granted = grant('read', params.table, caller, catalogue)
    const files = await filesOf(store, granted, fieldName(params.field), params.record)
    if (query.filename === undefined)
      return whole(
        request,
        files.map((file) => toResource(params, file)),
      )
    const file = files.find(({ name }) => name === query.filename)
    const content = file && (await store.files.get(file.hash))
    if (!content) throw fail('file.not_found', { name: query.filename }, { source: { parameter: 'filename' } })
    return whole(request, [toResource(params, file, content)])
  },
})
