import { fail } from '../../errors.ts'
import { LEFT, left } from '../../store/model/record.ts'
import type { StoredFile } from '../../store/records/files.ts'
import { isKnown } from '../answers/etag.ts'
import { percentEncode, resource, type ResourceObject } from '../answers/jsonapi.ts'
import { pick } from '../routing/readers.ts'
import type { Incoming, Reply, Streamed } from '../routing/route.ts'

/* Files of a file field on the wire (DECISIONS F3). */

export interface FilePlace {
  readonly table: number
  /** As in the path: f12 or 12. */
  readonly field: string
  readonly record: number
}

export const fileAttributes = ['file_name', 'content', 'binary', 'size', 'mime_type'] as const

/** The name `f12` for a field that is `f12` or `12` in the path. */
export const fieldName = (field: string): string => (/^\d+$/.test(field) ? `f${field}` : field)

/** A file as a resource. `content`: with a placeholder for its bytes (`withContent`). `enclosure` links to the bytes. */
export function toResource(
  { table, field, record }: FilePlace,
  { id, name, size, mimeType }: StoredFile,
  content: boolean,
  chosen: ReadonlySet<string> | undefined,
): ResourceObject {
  const place = `/api/dev/file/${table}/${fieldName(field)}/${record}/`
  const attributes = {
    file_name: name,
    ...(content && { content: left }),
    binary: true,
    size,
    mime_type: mimeType,
  }
  const links = { self: `${place}?filename=${percentEncode(name)}`, enclosure: place + percentEncode(name) }
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

/** Types that browsers may display: they cannot run scripts. All other files are downloads. */
const PASSIVE = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+|text\/plain)$/

/** The answer with the bytes of a file. @throws `file.not_found` where they are not stored */
export async function sendBytes({ store, header }: Pick<Incoming, 'store' | 'header'>, file: Omit<StoredFile, 'id'>): Promise<Reply> {
  const headers = bytesHeaders(file)
  if (isKnown(header('If-None-Match'), headers['ETag']!)) return { status: 304, headers: { ETag: headers['ETag']! } }
  const body = await store.files.stream(file.hash)
  if (!body) throw fail('file.not_found', { name: file.name })
  return { status: 200, headers, body }
}

/** The headers of a file's bytes. No file, whatever its type, can run scripts as a page of this service. */
const bytesHeaders = ({ name, hash, size, mimeType }: Omit<StoredFile, 'id'>): Record<string, string> => ({
  'Content-Type': mimeType,
  'Content-Length': String(size),
  'Content-Disposition': contentDisposition(PASSIVE.test(mimeType) ? 'inline' : 'attachment', name),
  'Content-Security-Policy': "default-src 'none'; sandbox",
  ETag: `"${hash}"`,
})

/** The header with the file name, in ASCII for old programs and exactly in UTF-8 (RFC 6266, RFC 8187). */
export function contentDisposition(how: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  return plain === name ? `${how}; filename="${name}"` : `${how}; filename="${plain}"; filename*=UTF-8''${percentEncode(name)}`
}
