/*
 * What is wrong with a document by JSON:API 1.1. Every answer that tests get through service.ts is checked, so each rule here holds for
 * each endpoint. The words before a colon are the headings of the specification.
 */

/** An answer, as far as the rules need it. */
export interface Answered {
  readonly method: string
  readonly status: number
  readonly contentType: string | null
  readonly location: string | null
  readonly document: unknown
  /** The address that was asked; `fields[…]` is the exception to full linkage. */
  readonly url: string
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Member Names: these characters anywhere, `-`, `_` and blanks only inside. */
const NAME = /^[a-zA-Z0-9\u0080-\uffff]([a-zA-Z0-9\u0080-\uffff_ -]*[a-zA-Z0-9\u0080-\uffff])?$/

/** Content Negotiation: with the Atomic Operations extension, or the profile of pages by cursors. */
const MEDIA_TYPE =
  /^application\/vnd\.api\+json(;ext="https:\/\/jsonapi\.org\/ext\/atomic"|;profile="https:\/\/jsonapi\.org\/profiles\/ethanresnick\/cursor-pagination")?$/

/** Rules that were broken, with the pointer to the place. */
export function jsonApiFaults({ method, status, contentType, location, document, url }: Answered): string[] {
  const faults: string[] = []
  const fault = (pointer: string, rule: string) => void faults.push(`${pointer || '/'}: ${rule}`)
  if (contentType === null || !MEDIA_TYPE.test(contentType))
    fault('Content-Type', 'Content Negotiation: the media type, with no other parameter than ext')
  if (!isObject(document)) return [...faults, 'a document is an object']
  checkTop(document, fault)
  const { data, errors, included } = document
  if (status >= 400 !== (errors !== undefined)) fault('', `Errors: with status 4xx and 5xx, and only there (${status})`)
  if (Array.isArray(errors)) for (const [i, one] of errors.entries()) checkError(one, `/errors/${i}`, fault)
  checkData(data, '/data', fault)
  if (Array.isArray(included)) {
    for (const [i, one] of included.entries()) checkResource(one, `/included/${i}`, fault)
    if (!/fields(\[|%5B)/i.test(url)) checkLinkage(data, included, fault)
  }
  checkOnce(data, included, fault)
  if (method === 'POST' && status === 201 && isObject(data)) {
    const { self } = (data['links'] ?? {}) as Json
    if (self !== undefined && location !== self) fault('Location', 'Creating Resources: equal to links.self of the new resource')
  }
  return faults
}

type Fault = (pointer: string, rule: string) => void

/** Members that an object may have; those of extensions (`ext:name`) and `@`-members may always be there. */
function checkMembers(object: Json, pointer: string, allowed: readonly string[], fault: Fault): void {
  for (const name of Object.keys(object))
    if (!allowed.includes(name) && !name.startsWith('@') && !name.includes(':')) fault(`${pointer}/${name}`, 'no member of this name here')
}

/** Top Level */
function checkTop(document: Json, fault: Fault): void {
  checkMembers(document, '', ['data', 'errors', 'meta', 'jsonapi', 'links', 'included'], fault)
  const { data, errors, meta, included, links } = document
  if (data === undefined && errors === undefined && meta === undefined && !Object.keys(document).some((name) => name.includes(':')))
    fault('', 'Top Level: at least one of data, errors, meta')
  if (data !== undefined && errors !== undefined) fault('', 'Top Level: data or errors')
  if (included !== undefined && (data === undefined || !Array.isArray(included))) fault('/included', 'Top Level: an array beside data')
  if (errors !== undefined && (!Array.isArray(errors) || errors.length === 0)) fault('/errors', 'Error Objects: an array that is not empty')
  if (meta !== undefined) checkMeta(meta, '/meta', fault)
  checkLinks(links, '/links', fault)
  const { jsonapi } = document
  if (!isObject(jsonapi) || jsonapi['version'] !== '1.1')
    fault('/jsonapi', 'JSON:API Object: the version, in every document of this service')
  else checkMembers(jsonapi, '/jsonapi', ['version', 'ext', 'profile', 'meta'], fault)
}

function checkMeta(meta: unknown, pointer: string, fault: Fault): void {
  if (!isObject(meta)) return fault(pointer, 'Meta Information: an object')
  for (const name of Object.keys(meta)) if (!NAME.test(name)) fault(`${pointer}/${name}`, 'Member Names: these characters only')
}

const PAGES = ['first', 'last', 'prev', 'next']

/** Links */
function checkLinks(links: unknown, pointer: string, fault: Fault): void {
  if (links === undefined) return
  if (!isObject(links)) return fault(pointer, 'Links: an object')
  for (const [name, link] of Object.entries(links)) {
    if (!NAME.test(name)) fault(`${pointer}/${name}`, 'Member Names: these characters only')
    if (link === null) continue
    const href = isObject(link) ? link['href'] : link
    if (typeof href !== 'string' || !URL.canParse(href, 'http://localhost')) fault(`${pointer}/${name}`, 'Links: a link, or null')
    if (PAGES.includes(name) && typeof link !== 'string') fault(`${pointer}/${name}`, 'Pagination: an address, or null')
    if (isObject(link)) checkMembers(link, `${pointer}/${name}`, ['href', 'rel', 'describedby', 'title', 'type', 'hreflang', 'meta'], fault)
  }
}

/** Top Level: primary data. */
function checkData(data: unknown, pointer: string, fault: Fault): void {
  if (data === undefined || data === null) return
  if (Array.isArray(data)) for (const [i, one] of data.entries()) checkResource(one, `${pointer}/${i}`, fault)
  else checkResource(data, pointer, fault)
}

/** 7.2 and Resource Identifier Objects: a resource object, or a resource identifier. */
function checkResource(resource: unknown, pointer: string, fault: Fault): void {
  if (!isObject(resource)) return fault(pointer, 'Resource Objects: an object')
  checkMembers(resource, pointer, ['type', 'id', 'attributes', 'relationships', 'links', 'meta'], fault)
  const { type, id, attributes = {}, relationships = {}, meta } = resource
  if (typeof id !== 'string' || id === '') fault(`${pointer}/id`, 'Identification: a string')
  if (typeof type !== 'string' || !NAME.test(type)) fault(`${pointer}/type`, 'Identification: a member name')
  if (!isObject(attributes)) fault(`${pointer}/attributes`, 'Attributes: an object')
  if (!isObject(relationships)) return fault(`${pointer}/relationships`, 'Relationships: an object')
  for (const name of [...Object.keys(attributes as Json), ...Object.keys(relationships)].filter((one) => !one.startsWith('@'))) {
    if (!NAME.test(name)) fault(`${pointer}/…/${name}`, 'Member Names: these characters only')
    if (name === 'id' || name === 'type') fault(`${pointer}/…/${name}`, 'Fields: no field is called so')
  }
  for (const [name, one] of Object.entries(relationships)) {
    if (Object.hasOwn(attributes as Json, name)) fault(`${pointer}/relationships/${name}`, 'Fields: no attribute has its name')
    checkRelationship(one, `${pointer}/relationships/${name}`, fault)
  }
  checkLinks(resource['links'], `${pointer}/links`, fault)
  if (meta !== undefined) checkMeta(meta, `${pointer}/meta`, fault)
}

/** Relationships */
function checkRelationship(relationship: unknown, pointer: string, fault: Fault): void {
  if (!isObject(relationship)) return fault(pointer, 'Relationships: an object')
  checkMembers(relationship, pointer, ['links', 'data', 'meta'], fault)
  const { links, data } = relationship
  if (Object.keys(relationship).length === 0) fault(pointer, 'Relationships: at least one of links, data, meta')
  if (isObject(links) && links['self'] === undefined && links['related'] === undefined)
    fault(`${pointer}/links`, 'Relationships: self or related')
  checkLinks(links, `${pointer}/links`, fault)
  const all = Array.isArray(data) ? data : data === undefined || data === null ? [] : [data]
  for (const [i, one] of all.entries()) {
    if (!isObject(one) || typeof one['type'] !== 'string' || typeof one['id'] !== 'string')
      fault(`${pointer}/data/${i}`, 'Resource Identifier Objects: type and id')
    else checkMembers(one, `${pointer}/data/${i}`, ['type', 'id', 'meta'], fault)
  }
}

const keyOf = (one: Json): string => `${String(one['type'])} ${String(one['id'])}`
const listOf = (data: unknown): readonly Json[] => (Array.isArray(data) ? data : [data]).filter(isObject)

/** Compound Documents: full linkage: every included resource is reached from the primary data. */
function checkLinkage(data: unknown, included: readonly unknown[], fault: Fault): void {
  const others = new Map(listOf(included).map((one) => [keyOf(one), one]))
  const waiting = [...listOf(data)]
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop())
    for (const relationship of Object.values((one['relationships'] ?? {}) as Json))
      for (const linked of listOf((relationship as Json)['data'])) {
        const next = others.get(keyOf(linked))
        if (next !== undefined) waiting.push(next)
        others.delete(keyOf(linked))
      }
  for (const name of others.keys()) fault('/included', `Compound Documents: nothing links to ${name}`)
}

/** Compound Documents: each resource once. */
function checkOnce(data: unknown, included: unknown, fault: Fault): void {
  const seen = new Set<string>()
  for (const one of [...listOf(data), ...listOf(included)]) {
    if (seen.has(keyOf(one))) fault('', `Compound Documents: ${keyOf(one)} is there twice`)
    seen.add(keyOf(one))
  }
}

/** Error Objects */
function checkError(error: unknown, pointer: string, fault: Fault): void {
  if (!isObject(error) || Object.keys(error).length === 0) return fault(pointer, 'Error Objects: an object that is not empty')
  checkMembers(error, pointer, ['id', 'links', 'status', 'code', 'title', 'detail', 'source', 'meta'], fault)
  for (const name of ['id', 'status', 'code', 'title', 'detail'])
    if (typeof error[name] !== 'string') fault(`${pointer}/${name}`, 'Error Objects: a string')
  if (!/^[45]\d\d$/.test(String(error['status']))) fault(`${pointer}/status`, 'Error Objects: the status')
  const { source, links, meta } = error
  if (source !== undefined) {
    if (!isObject(source)) return fault(`${pointer}/source`, 'Error Objects: an object')
    checkMembers(source, `${pointer}/source`, ['pointer', 'parameter', 'header'], fault)
    const { pointer: at } = source
    if (at !== undefined && (typeof at !== 'string' || !/^(\/([^/~]|~[01])*)*$/.test(at))) fault(`${pointer}/source/pointer`, 'RFC 6901')
  }
  if (isObject(links)) checkMembers(links, `${pointer}/links`, ['about', 'type'], fault)
  checkLinks(links, `${pointer}/links`, fault)
  if (meta !== undefined) checkMeta(meta, `${pointer}/meta`, fault)
}
