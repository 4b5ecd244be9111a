import { grant, type Granted } from '../../store/model/access.ts'
import type { ShownRecord } from '../../store/model/record.ts'
import type { Relationship } from '../../store/model/relationships.ts'
import { relatedAround, relatedPage } from '../../store/records/related-page.ts'
import { around, list, type Identifier, type ResourceObject } from '../answers/jsonapi.ts'
import { aroundOf, cursorText, END, isAround, pageAt, type pages } from '../routing/paging.ts'
import type { Incoming, Reply } from '../routing/route.ts'
import { mostAround } from './record-list.ts'
import { mustHavePages, relationshipOf } from './relationship.ts'

/** A relationship of a record, as a path names it. */
export interface Place {
  readonly table: number
  readonly record: number
  readonly field: number
  /** The table of the records that refer here. */
  readonly other?: number
}

export type Asking = Omit<Incoming, 'params' | 'query'> & {
  readonly query: { readonly [N in keyof typeof pages]: ReturnType<(typeof pages)[N]> }
}

/** Where a relationship leads from a record, and the reply that shows it. */
export interface RelatedList {
  readonly relationship: Relationship
  readonly granted: Granted<'read'>
  readonly records: readonly ShownRecord[]
  /** The page of several; not called for one. */
  reply(data: readonly (ResourceObject | Identifier)[], included?: readonly ResourceObject[]): Reply
}

/**
 * `asked`: called when it is known which relationship is asked for, before anything is read; returns what the request wants of the records, and
 * the grant by which they are read.
 */
export async function relatedList<T>(
  request: Asking,
  place: Place,
  asked: (target: Granted<'read'>) => readonly [wanted: T, granted: Granted<'read'>],
): Promise<RelatedList & { readonly wanted: T }> {
  const { store, caller, catalogue, query, pairs } = request
  const from = grant('read', place.table, caller, catalogue)
  const relationship = relationshipOf(from, place)
  const target = grant('read', relationship.tableId, caller, catalogue)
  mustHavePages(relationship, pairs)
  const [wanted, granted] = asked(target)
  if (!isAround(request)) {
    const at = pageAt(request)
    const { records, total } = await relatedPage(store, from, granted, place.record, relationship, at)
    return { relationship, granted, records, wanted, reply: (data, included) => list(request, data, at, total, included) }
  }
  const stretch = aroundOf(request, [], mostAround(target))
  const { records, positions, more } = await relatedAround(store, from, granted, place.record, relationship, stretch)
  const cursors = positions.map((position) => cursorText([], position))
  const page = { after: query['page[after]'], before: query['page[before]'], size: stretch.size, cursors, more, end: END }
  return { relationship, granted, records, wanted, reply: (data, included) => around(request, data, page, included) }
}
