import { fail } from '../../errors.ts'
import { grant } from '../../store/model/access.ts'
import { sides } from '../../store/thumbnails/thumbnails.ts'
import { listFiles } from '../../store/records/files.ts'
import { showsBytes } from '../answers/described.ts'
import { addressOfFile, fieldName, sendBytes, sendThumbnail } from '../resources/file.ts'
import { maybeOneOf, text } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

export const getFile = route({
  method: 'GET',
  path: '/api/dev/file/{table}/{field:text}/{record}/{name:text}',
  says: 'Sends the bytes of a file.',
  token: 'tables',
  answers: showsBytes,
  headers: ['If-Match', 'If-None-Match', 'Range', 'If-Range'],
  fails: [
    'file.not_found',
    'file.field_not_found',
    'file.changed',
    'auth.link_invalid',
    'thumbnail.impossible',
    'thumbnail.unavailable',
    'server.busy',
    'file.range_not_satisfiable',
  ],
  linked: (params) => addressOfFile(params, params.name),
  query: {
    link: text('A link made by `POST …/link`, instead of a token.'),
    thumbnail: maybeOneOf('A small image of the file instead: at most so many pixels on its longer side.', ...sides),
  },

  async run(request) {
    const { store, caller, catalogue, params, query } = request
    const granted = grant('read', params.table, caller, catalogue)
    const files = await listFiles(store, granted, fieldName(params.field), params.record)
    const file = files.find(({ name }) => name === params.name)
    if (!file) throw fail('file.not_found', { name: params.name })
    const side = query.thumbnail as (typeof sides)[number] | undefined
    return side === undefined ? sendBytes(request, file) : sendThumbnail(request, file, side)
  },
})
