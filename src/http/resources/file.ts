import type { StoredFile } from '../../store/files.ts'
import { percentEncode, resource, type ResourceObject } from '../jsonapi.ts'

/* Files of a file field on the wire (decisions section 3). */

export interface Place {
  readonly table: number
  /** As in the path: f12, or 12 for short. */
  readonly field: string
  readonly record: number
}

export const fileAttributes = ['file_name', 'content', 'binary', 'size', 'mime_type'] as const

/** `f12` for both spellings of a field in a path. */
export const fieldName = (field: string): string => (/^\d+$/.test(field) ? `f${field}` : field)

/** A file as a resource; `content`, its bytes, is left out where undefined. `enclosure` links to the bytes as they are. */
export function toResource(
  { table, field, record }: Place,
  { id, name, size, mimeType }: StoredFile,
  content?: Uint8Array,
): ResourceObject {
  const place = `/api/dev/file/${table}/${fieldName(field)}/${record}/`
  const attributes = {
    file_name: name,
    ...(content && { content: Buffer.from(content).toString('base64') }),
    binary: true,
    size,
    mime_type: mimeType,
  }
  const links = { self: `${place}?filename=${percentEncode(name)}`, enclosure: place + percentEncode(name) }
  return { ...resource('file', id, attributes), links }
}

/** What browsers may show in place: types that cannot run anything. All else is for saving. */
const PASSIVE = /^(?:image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/[a-z0-9.+-]+|video\/[a-z0-9.+-]+|text\/plain)$/

/** The headers of a file's bytes. Whatever a file says it is, it does not run as a page of this service. */
export const bytesHeaders = ({ name, hash, size, mimeType }: StoredFile): Record<string, string> => ({
  'Content-Type': mimeType,
  'Content-Length': String(size),
  'Content-Disposition': contentDisposition(PASSIVE.test(mimeType) ? 'inline' : 'attachment', name),
  'Content-Security-Policy': "default-src 'none'; sandbox",
  ETag: `"${hash}"`,
})

/** With a plain form for old programs and the exact one in UTF-8 (RFC 6266, RFC 8187). */
export function contentDisposition(how: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/gu, '_').replace(/["\\%]/g, '_')
  return plain === name ? `${how}; filename="${name}"` : `${how}; filename="${plain}"; filename*=UTF-8''${percentEncode(name)}`
}
