import type { IncomingHttpHeaders } from 'node:http'
import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { MEDIA_TYPE } from './jsonapi.ts'

/*
 * Content negotiation of JSON:API 1.1. A route may have one extension, which a body must name then; profiles are ignored, as JSON:API requires.
 */

interface MediaType {
  /** Lower case. */
  readonly name: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/**
 * @throws `request.not_acceptable` where every instance of the media type in Accept has parameters, or extensions, that the route does not
 * support
 */
export function mustBeAcceptable(accept: string | undefined, extension?: string): void {
  if (accept === undefined || accept === MEDIA_TYPE || accept === '*/*') return
  const instances = mediaTypes(accept).filter(({ name }) => name === MEDIA_TYPE)
  if (instances.length === 0 || instances.some((one) => isSpoken(one, extension))) return
  throw fail('request.not_acceptable', { extension }, { source: { header: 'Accept' } })
}

/**
 * The Content-Type of a request with a body must be the media type, with the extension of the route; without a body it is ignored.
 * @throws `request.wrong_media_type`
 */
export function mustBeReadable(contentType: string | undefined, hasBody: boolean, extension?: string): void {
  if ((contentType === MEDIA_TYPE && extension === undefined) || (contentType === undefined && !hasBody)) return
  const [type, extra] = mediaTypes(contentType ?? '')
  const ours = type?.name === MEDIA_TYPE && extra === undefined
  const isRead = () => isSpoken(type!, extension) && !type!.parameters.some(([name]) => name === 'q') && speaks(type!, extension)
  if (ours ? isRead() : !hasBody && type?.name !== MEDIA_TYPE) return
  throw fail('request.wrong_media_type', { extension }, { source: { header: 'Content-Type' } })
}

/**
 * Headers that change what a write means are refused where they are not followed (RFC 9110, 8.4, 13.1.1, 14.5). `followed`: those of the
 * route. @throws `request.wrong_encoding`, `header.invalid`
 */
export function mustBeFollowed(method: string, headers: IncomingHttpHeaders, followed: readonly string[]): void {
  if (method === 'GET' || method === 'HEAD') return
  const { 'content-encoding': encoding = 'identity', 'content-range': range, 'if-match': match = '*' } = headers
  if (encoding.toLowerCase() !== 'identity')
    throw fail('request.wrong_encoding', undefined, {
      source: { header: 'Content-Encoding' },
      headers: { 'Accept-Encoding': 'identity' },
    })
  if (range !== undefined)
    throw fail('header.invalid', { why: 'A body is stored as a whole, not as a part.' }, { source: { header: 'Content-Range' } })
  if (match !== '*' && !followed.includes('If-Match'))
    throw fail('header.invalid', { why: 'If-Match cannot be followed here: nothing was changed.' }, { source: { header: 'If-Match' } })
}

/** Whether a browser asks to show what is at an address: it names HTML, and not the media type of the interface. */
export function isForBrowsers(accept = ''): boolean {
  const types = mediaTypes(accept)
  const isAccepted = (wanted: string) =>
    types.some(({ name, parameters }) => name === wanted && !parameters.some(([key, value]) => key === 'q' && !(Number(value) > 0)))
  return isAccepted('text/html') && !isAccepted(MEDIA_TYPE)
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
  'if-range',
  'last-event-id',
  'origin',
  'range',
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

/** Whether its parameters are profiles or the supported extension. The weight in Accept is not a parameter of the type. */
const isSpoken = ({ parameters }: MediaType, extension: string | undefined): boolean =>
  parameters.every(([name, value]) => {
    if (name === 'ext') return value.split(' ').every((uri) => uri === '' || uri === extension)
    return name === 'profile' || (name === 'q' && Number(value) > 0)
  })

/** Whether it names the extension, if there is one. */
const speaks = ({ parameters }: MediaType, extension: string | undefined): boolean =>
  extension === undefined || parameters.some(([name, value]) => name === 'ext' && value.split(' ').includes(extension))

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
