import { fail } from '../../errors.ts'
import { filesOfChange } from '../../store/changes/file-of-change.ts'
import { mimeTypeOf } from '../../store/records/files.ts'
import { showsBytes } from '../answers/described.ts'
import { change } from '../resources/change.ts'
import { fieldName, sendBytes } from '../resources/file.ts'
import { route } from '../routing/route.ts'

export const getFileOfChange = route({
  method: 'GET',
  path: '/api/dev/change/{id}/file/{field:text}/{side:text}/{name:text}',
  says: 'Sends the bytes of a file that a field had before a change (`from`) or after it (`to`).',
  token: 'tables',
  answers: showsBytes,
  headers: ['If-Match', 'If-None-Match', 'Range', 'If-Range'],
  fails: ['file.not_found', 'file.field_not_found', 'file.changed', 'file.range_not_satisfiable'],
  query: {},

  async run(request) {
    const { store, caller, params } = request
    const { id, side, name } = params
    const files = await filesOfChange(store, caller, { change: id, field: fieldName(params.field), side })
    if (!files) throw fail('resource.not_found', { type: change.type, id })
    const file = files.find((one) => one.name === name)
    if (!file) throw fail('file.not_found', { name })
    return sendBytes(request, { ...file, mimeType: mimeTypeOf(name) })
  },
})
