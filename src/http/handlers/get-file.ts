import { fail } from '../../errors.ts'
import { grant } from '../../store/model/access.ts'
import { listFiles } from '../../store/records/files.ts'
import { fieldName, sendBytes } from '../resources/file.ts'
import { route } from '../routing/route.ts'

export const getFile = route({
  method: 'GET',
  path: '/api/dev/file/{table}/{field:text}/{record}/{name:text}',
  says: 'Sends the bytes of a file.',
  token: 'tables',
  query: {},

  async run(request) {
    const { store, caller, catalogue, params } = request
    const granted = grant('read', params.table, caller, catalogue)
    const files = await listFiles(store, granted, fieldName(params.field), params.record)
    const file = files.find(({ name }) => name === params.name)
    if (!file) throw fail('file.not_found', { name: params.name })
    return sendBytes(request, file)
  },
})
