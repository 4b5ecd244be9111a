import { fail } from '../../errors.ts'
import { LEFT, left } from '../../store/model/record.ts'
import type { StoredFile } from '../../store/records/files.ts'
import { thumbnailOf, type sides } from '../../store/thumbnails/thumbnails.ts'
import type { ByteRange } from '../../store/files/file-storage.ts'
import { fileTag, isKnown, isNamed } from '../answers/etag.ts'
import { rangeOf } from '../answers/ranges.ts'
import { percentEncode, resource, type ResourceObject } from '../answers/jsonapi.ts'
import type { Schema } from '../../fields/field-type.ts'
import { pick } from '../routing/readers.ts'
import type { Incoming, Reply, Streamed } from '../routing/route.ts'

/* Files of a file field on the wire (DECISIONS F3). */

export interface FilePlace {
  readonly table: number
  /** As in the path: f12 or 12. */
  readonly field: string
  readonly record: number
}

/** The attributes of a file; `content` only where it is asked for by name. */
export const fileAttributes = {
  file_name: { type: 'string', description: 'Its name, unique in the field of the record.' },
  content: { type: 'string', contentEncoding: 'base64', description: 'Its bytes, in base64; only where one file is asked for by name.' },
  binary: { type: 'boolean', description: 'Always true: `content` is base64.' },
  size: { type: 'integer', minimum: 0, description: 'The number of its bytes.' },
  mime_type: { type: 'string', description: 'Its media type, by its name.' },
} as const satisfies Readonly<Record<string, Schema>>

/** The name `f12` for a field that is `f12` or `12` in the path. */
export const fieldName = (field: string): string => (/^\d+$/.test(field) ? `f${field}` : field)

const folderOf = ({ table, field, record }: FilePlace): string => `/api/dev/file/${table}/${fieldName(field)}/${record}/`

/** The address of the bytes of a file, always spelled the same. */
export const addressOfFile = (place: FilePlace, name: string): string => folderOf(place) + percentEncode(name)

/** A file as a resource. `content`: with a placeholder for its bytes (`withContent`). `enclosure` links to the bytes. */
export function toResource(
  at: FilePlace,
  { id, name, size, mimeType }: StoredFile,
  content: boolean,
  chosen: ReadonlySet<string> | undefined,
): ResourceObject {
  const attributes = {
    file_name: name,
    ...(content && { content: left }),
    binary: true,
    size,
    mime_type: mimeType,
  }
  const links = { self: `${folderOf(at)}?filename=${percentEncode(name)}`, enclosure: addressOfFile(at, name) }
  return { ...resource('file', id, pick<unknown>(attributes, chosen)), links }
}

/** The answer with the bytes of the file in place of the placeholder, as they are read from the disk: it is never in memory as a whole. */
export function withContent(reply: Reply, { size }: StoredFile, read: () => Promise<NodeJS.ReadableStream | undefined>): Reply {
  const [before = '', after = ''] = JSON.stringify(reply.body).split(LEFT)
  const length = Buffer.byteLength(before) + Buffer.byteLength(after) + 2 + 4 * Math.ceil(size / 3)
  const body: Streamed = { parts: () => parts(before, read, after) }
  return { ...reply, headers: { 'Content-Length': String(length) }, body }
}

async function* parts(before: string, read: () => Promise<NodeJS.ReadableStream | undefined>, after: string): AsyncGenerator<string> {
  const bytes = await read()
  if (!bytes) throw new Error('The bytes of a file are gone.')
  yield `${before}"`
  // Three bytes become four characters; remaining bytes are encoded with the next ones.
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    const all = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const even = all.length - (all.length % 3)
    yield all.toString('base64', 0, even)
    rest = all.subarray(even)
  }
  yield `${rest.toString('base64')}"${after}`
}

/**
 * Types that browsers may display: they cannot run scripts in a page. What a PDF runs, its viewer keeps away from the page that shows it. All other
 * files are downloads.
 */
const PASSIVE = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+|text\/plain|application\/pdf)$/

/**
 * The answer with the bytes of a file, or with a range of them.
 * @throws `file.not_found` where they are not stored, `file.changed`, `file.range_not_satisfiable`
 */
export async function sendBytes(request: Pick<Incoming, 'store' | 'header' | 'isHead'>, file: Omit<StoredFile, 'id'>): Promise<Reply> {
  const { store, header, isHead } = request
  const { name, hash, size } = file
  const tag = fileTag(hash)
  if (!isNamed(header('If-Match'), tag)) throw fail('file.changed', undefined, { condition: 'ifMatch' })
  if (isKnown(header('If-None-Match'), tag)) return { status: 304, headers: { ETag: tag } }
  const range = rangeOf(request, size, tag)
  const body = isHead ? await store.files.stat(hash) : await store.files.stream(hash, range)
  if (body === undefined) throw fail('file.not_found', { name })
  const headers = { ...bytesHeaders(file), ...(range && partHeaders(range, size)) }
  return { status: range ? 206 : 200, headers, body: isHead ? undefined : body }
}

/**
 * The answer with a small image of a file.
 * @throws `file.not_found`, `thumbnail.impossible`, `thumbnail.unavailable`, `server.busy`
 */
export async function sendThumbnail(
  { store, caller, header }: Pick<Incoming, 'store' | 'caller' | 'header'>,
  file: Omit<StoredFile, 'id'>,
  side: (typeof sides)[number],
): Promise<Reply> {
  const tag = fileTag(`${file.hash}-${side}`)
  if (isKnown(header('If-None-Match'), tag)) return { status: 304, headers: { ETag: tag } }
  const small = await thumbnailOf(store, file, side, caller)
  if (!small) throw fail('file.not_found', { name: file.name })
  const { bytes, mimeType } = small
  const { 'Accept-Ranges': _, ...headers } = bytesHeaders({ ...file, mimeType, size: bytes.length })
  return { status: 200, headers: { ...headers, ETag: tag }, body: bytes }
}

const partHeaders = ({ start, end }: ByteRange, size: number): Record<string, string> => ({
  'Content-Length': String(end - start + 1),
  'Content-Range': `bytes ${start}-${end}/${size}`,
})

/** The headers of a file's bytes. No file, whatever its type, can run scripts as a page of this service. */
const bytesHeaders = ({ name, hash, size, mimeType }: Omit<StoredFile, 'id'>): Record<string, string> => ({
  'Content-Type': mimeType,
  'Content-Length': String(size),
  'Content-Disposition': contentDisposition(PASSIVE.test(mimeType) ? 'inline' : 'attachment', name),
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Accept-Ranges': 'bytes',
  ETag: fileTag(hash),
})

/** The header with the file name, in ASCII for old programs and exactly in UTF-8 (RFC 6266, RFC 8187). */
export function contentDisposition(how: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  return plain === name ? `${how}; filename="${name}"` : `${how}; filename="${plain}"; filename*=UTF-8''${percentEncode(name)}`
}
