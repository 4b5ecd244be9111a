import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { MEDIA_TYPE } from './jsonapi.ts'

/* Content negotiation of JSON:API 1.1. No extension is supported yet; profiles are ignored, as JSON:API requires. */

interface MediaType {
  /** Lower case. */
  readonly name: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** URIs of the extensions that are supported. */
const extensions: ReadonlySet<string> = new Set()

/** @throws `request.not_acceptable` where every instance of the media type in Accept has parameters that are not supported. */
export function mustBeAcceptable(accept: string | undefined): void {
  if (accept === undefined || accept === MEDIA_TYPE || accept === '*/*') return
  const instances = mediaTypes(accept).filter(({ name }) => name === MEDIA_TYPE)
  if (instances.length === 0 || instances.some(isSpoken)) return
  throw fail('request.not_acceptable', undefined, { source: { header: 'Accept' } })
}

/**
 * The Content-Type of a request with a body must be the media type; without a body it is ignored.
 * @throws `request.wrong_media_type`
 */
export function mustBeReadable(contentType: string | undefined, hasBody: boolean): void {
  if (contentType === MEDIA_TYPE || (contentType === undefined && !hasBody)) return
  const [type, extra] = mediaTypes(contentType ?? '')
  const ours = type?.name === MEDIA_TYPE && extra === undefined
  if (ours ? isSpoken(type) && !type.parameters.some(([name]) => name === 'q') : !hasBody && type?.name !== MEDIA_TYPE) return
  throw fail('request.wrong_media_type', undefined, { source: { header: 'Content-Type' } })
}

/** Headers whose length is limited here. */
const read = [
  'accept',
  'authorization',
  'content-type',
  'host',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'origin',
  'x-auth-token',
]

/** Called before any of them is parsed. @throws `request.headers_too_large` */
export function mustBeShort(headers: IncomingHttpHeaders): void {
  for (const name of read) {
    const value = headers[name]
    if (value !== undefined && value.length > limits.header.most)
      throw fail('request.headers_too_large', undefined, { source: { header: name } })
  }
}

/** Whether a request has a body. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] !== undefined && headers['content-length'] !== '0')

/** Whether its parameters are profiles or supported extensions. The weight in Accept is not a parameter of the type. */
const isSpoken = ({ parameters }: MediaType): boolean =>
  parameters.every(([name, value]) => {
    if (name === 'ext') return value.split(' ').every((uri) => uri === '' || extensions.has(uri))
    return name === 'profile' || (name === 'q' && Number(value) > 0)
  })

/** The media types of an Accept or Content-Type header (RFC 9110, 5.6.6 and 8.3.1); a malformed parameter gets no name. */
export function mediaTypes(header: string): MediaType[] {
  return split(header, ',').map((member) => {
    const [name = '', ...parameters] = split(member, ';')
    return { name: name.toLowerCase(), parameters: parameters.filter((one) => one !== '').map(parameter) }
  })
}

function parameter(text: string): readonly [name: string, value: string] {
  const [, name = '', quoted, plain = ''] = /^([^\s="]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]*))$/.exec(text) ?? []
  return [name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain]
}

/** Splits at separators that are not within quotes; the parts without blanks around them. */
function split(text: string, separator: ',' | ';'): string[] {
  const pieces: string[] = []
  let start = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (quoted && character === '\\') i++
    else if (character === '"') quoted = !quoted
    else if (character === separator && !quoted) {
      pieces.push(text.slice(start, i).trim())
      start = i + 1
    }
  }
  return [...pieces, text.slice(start).trim()]
}
