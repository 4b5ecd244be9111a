import { createHash, hash as hashed } from 'node:crypto'
import type { View } from '../../store/model/access.ts'
import type { Incoming, Reply } from '../routing/route.ts'
import { memo } from '../../memory/memo.ts'

/*
 * Entity tags. The tag of a list or of a file is a hash of what is sent. The tag of a record is "<version>-<instance>-<shape>": the version is
 * that of the record in this instance of the installation, the shape a hash of everything else that the representation depends on.
 * Without it, after a change of structure, rights or fields[…], a client would be answered "not modified".
 */

/** The strong tag of one version of a record, as this caller sees it with this request. `others`: what it depends on besides. */
export function recordTag(
  granted: View,
  version: number,
  { store, parameters }: Pick<Incoming, 'store' | 'parameters'>,
  others: readonly unknown[] = [],
): string {
  // A browser keeps what it read before: what may be done with the record is another thing for whom an administrator views.
  const { viewedBy, userId, groupId } = granted.caller
  const shown =
    parameters.size === 0 && !viewedBy
      ? wholeShape(granted.attributes, granted)
      : shape(granted, [...parameters], viewedBy ? [...others, userId, groupId] : others)
  return `"${version}-${store.instance}-${shown}"`
}

const wholeShape = memo((_: View['attributes'], granted: View): string => shape(granted, []))

const shape = ({ table, attributes }: View, parameters: readonly (readonly [string, string])[], others: readonly unknown[] = []): string =>
  createHash('sha256')
    .update(JSON.stringify([table.version, [...attributes.keys()], parameters, ...others]))
    .digest('base64url')
    .slice(0, 10)

/** Whether If-None-Match names this tag; weak ones count (RFC 9110, 13.1.2). */
export function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || tags(header).some((one) => one.replace(/^W\//, '') === tag)
}

/** Whether If-Match names this tag, or was not sent; weak ones never match (RFC 9110, 13.1.1). */
export const isNamed = (header: string | undefined, tag: string): boolean =>
  header === undefined || header.trim() === '*' || tags(header).includes(tag)

/**
 * Whether If-Match names a version of a record; undefined without the header. The shape does not count: a
 * client that saw this version with other rights or fields saw the present record. Weak tags never match (RFC 9110, 13.1.1).
 */
export function versionCondition({ store, header: of }: Pick<Incoming, 'store' | 'header'>): ((version: number) => boolean) | undefined {
  const header = of('If-Match')
  if (header === undefined) return undefined
  if (header.trim() === '*') return () => true
  const known = tags(header)
  return (version) => known.some((tag) => tag.startsWith(`"${version}-${store.instance}-`))
}

/**
 * The answer to GET of a list, with a strong tag of its text; 304 where If-None-Match names it. A document that is sent from a file, because
 * it has long values, has no tag.
 */
export function taggedList({ header }: Pick<Incoming, 'header'>, reply: Reply): Reply {
  if (typeof reply.body !== 'object' || reply.body === null || 'pipe' in reply.body) return reply
  const body = JSON.stringify(reply.body)
  const tag = `"${hashed('sha256', body, 'base64url')}"`
  if (isKnown(header('If-None-Match'), tag)) return { status: 304, headers: { ETag: tag } }
  return { ...reply, headers: { ...reply.headers, ETag: tag }, body }
}

/** The strong tag of the bytes of a file, by their hash. */
export const fileTag = (hash: string): string => `"${hash}"`

/**
 * Whether If-Match and If-None-Match of a write let a file be written: of its record this version, of its present bytes this hash, if there
 * are any. If-Match may name the tag of the file or that of the record. Undefined without these headers.
 */
export function fileCondition({
  store,
  header,
}: Pick<Incoming, 'store' | 'header'>): ((version: number, hash: string | undefined) => boolean) | undefined {
  const [match, none] = [header('If-Match'), header('If-None-Match')]
  if (match === undefined && none === undefined) return undefined
  const ofRecord = versionCondition({ store, header })
  return (version, hash) => {
    if (none !== undefined && hash !== undefined && isKnown(none, fileTag(hash))) return false
    if (match === undefined) return true
    if (match.trim() === '*') return hash !== undefined
    return (hash !== undefined && isNamed(match, fileTag(hash))) || ofRecord!(version)
  }
}

const tags = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? []
