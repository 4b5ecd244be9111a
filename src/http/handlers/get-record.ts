import { grant } from '../../store/model/access.ts'
import { getRecord as get } from '../../store/records/read-records.ts'
import { isKnown, recordTag } from '../answers/etag.ts'
import { complete } from '../answers/long-answer.ts'
import { oneRecord, wantedFields } from '../resources/record.ts'
import { route } from '../routing/route.ts'

export const getRecord = route({
  method: 'GET',
  path: '/api/dev/data{table}/{record}',
  says: 'Shows a record of a table.',
  token: 'tables',
  query: {},
  sparseFields: true,

  async run(request) {
    const { store, caller, catalogue, params } = request
    const granted = grant('read', params.table, caller, catalogue)
    const fields = wantedFields(request, granted)
    const record = await get(store, granted, params.record)
    const tag = recordTag(granted, record.version, request)
    if (isKnown(request.header('If-None-Match'), tag)) return { status: 304, headers: { ETag: tag } }
    return complete(request, granted, [record], fields, oneRecord(request, granted, record, fields))
  },
})
