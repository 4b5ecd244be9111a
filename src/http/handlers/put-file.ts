import { mostBytes } from '../../fields/files.ts'
import { grant } from '../../store/model/access.ts'
import type { Table } from '../../store/model/catalogue.ts'
import { mayStoreFile, storeFile, type FilePlace } from '../../store/records/store-file.ts'
import { fileCondition, fileTag } from '../answers/etag.ts'
import { bytes, showsOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { fieldName, toResource } from '../resources/file.ts'
import { route, type Asked } from '../routing/route.ts'

type Path = '/api/dev/file/{table}/{field:text}/{record}/{name:text}'

// The answer shows the file.
const granted = ({ params, caller, catalogue }: Pick<Asked<Path>, 'params' | 'caller' | 'catalogue'>) =>
  grant(['update', 'read'], params.table, caller, catalogue)

const placeOf = ({ params }: Pick<Asked<Path>, 'params'>): FilePlace => ({
  field: fieldName(params.field),
  record: params.record,
  file: params.name,
})

export const putFile = route({
  method: 'PUT',
  path: '/api/dev/file/{table}/{field:text}/{record}/{name:text}',
  says: 'Stores the bytes of the body as a file: it replaces the file of this name, or is added.',
  token: 'tables',
  answers: [showsOne('file'), showsOne('file', { status: 201 })],
  takes: bytes,
  headers: ['If-Match', 'If-None-Match'],
  fails: ['file.field_not_found', 'file.changed', 'body.too_large', 'field.invalid_value', 'attribute.read_only', 'server.busy'],
  async allow(asked) {
    const known = granted(asked)
    const most = mostOf(known.table, asked.params.field)
    // A body that is too large is refused for that, when its rights have been checked.
    const size = asked.length === undefined ? undefined : Math.min(asked.length, most)
    await mayStoreFile(asked.store, known, placeOf(asked), size, fileCondition(asked))
  },
  receives: ({ tables }, { table, field }) => mostOf(tables.get(Number(table)), field!),
  query: {},

  async run(request) {
    const { store, params, stored } = request
    const { file, isNew } = await storeFile(store, granted(request), placeOf(request), stored!, fileCondition(request))
    const resource = toResource(params, file, false, undefined)
    const headers = { ETag: fileTag(file.hash), ...(isNew && { Location: resource.links['enclosure']! }) }
    return one(resource, { status: isNew ? 201 : 200, headers })
  },
})

const mostOf = (table: Table | undefined, field: string): number => mostBytes(table?.attributes.get(fieldName(field))?.settings ?? {})
