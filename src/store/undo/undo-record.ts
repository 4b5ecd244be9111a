import { Failure, Failures, fail } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import { sideOf, type Content, type Side } from '../changes/content.ts'
import type { Attribute } from '../../fields/field-type.ts'
import { textOf } from '../changes/list-changes.ts'
import type { HeldFile } from '../ground/changes.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import { grant, type Caller, type View } from '../model/access.ts'
import { hasEveryRight } from '../model/built-in-groups.ts'
import { filesHeld } from '../records/images.ts'
import { present, type Present } from '../records/present.ts'
import { prepareDelete, prepareUpdate } from '../records/write-records.ts'
import { restoreRecord } from '../structure/trash.ts'
import { contentOf, type Alike, type RecordLog } from './batch-log.ts'
import { isLeft } from './cancelled.ts'
import { sameFiles } from './restore-version.ts'

/** What an undo left as it is, and why. */
export interface Conflict {
  readonly tableId: number
  readonly recordId: number
  /** Undefined: the whole record. */
  readonly attribute: string | undefined
  readonly failure: Failure
}

/** What undoing a record takes. */
export interface Undoing {
  readonly store: Uses<'db' | 'files' | 'environment' | 'settings' | 'context' | 'catalogue'>
  readonly tx: Transaction
  readonly granted: View
  readonly caller: Caller
  readonly recordId: number
  /** What the batch did to the record. */
  readonly own: RecordLog
  /** What else was done to it since; without what undid the batch, and what undid that. What was itself undone is in it (`isLeft`). */
  readonly since: RecordLog
  /** Its version by the log; undefined where that does not reach back to its creation. */
  readonly version: number | undefined
  readonly place: 'live' | 'trash'
  /** By column, the attribute that it holds or held, of those that exist for the caller. */
  readonly columns: ReadonlyMap<string, Attribute>
  conflict(failure: Failure, attribute?: string): void
}

const changedSince = () => fail('batch.changed_since')

/**
 * Takes back what a batch did to one record, through the same checks as other writes: what was changed since, or cannot be written, is
 * left and told as a conflict. Whether it changed the record.
 */
export async function undoRecord(undoing: Undoing): Promise<boolean> {
  const { own, since, place } = undoing
  const began = own.reduce((one, other) => (other.first < one.first ? other : one))
  const was = comes(began) ? 'absent' : 'live'
  const moves = own.filter((one) => comes(one) || one.action === 'delete').toSorted((one, other) => one.last - other.last)
  const became = moves.at(-1)?.action === 'delete' ? 'trash' : 'live'
  const touched = [...new Set(since.flatMap((one) => [...one.touched]))].filter((one) => undoing.granted.attributes.has(one))
  const isChanged = [undefined, ...touched].some((one) => isLeft(since, one, began.first))
  if (was === 'absent') {
    if (became === 'trash' || place === 'trash') return leaveTrashed(undoing, became, isChanged)
    return isChanged ? conflicting(undoing) : toTrash(undoing)
  }
  if (became === 'live' && place === 'live') return revert(undoing)
  if (became === 'live' || isChanged) return conflicting(undoing)
  const isBack = place === 'trash' && (await outOfTrash(undoing))
  return (place === 'live' || isBack) && own.some(({ touched }) => touched.size > 0) ? (await revert(undoing)) || isBack : isBack
}

const comes = ({ action }: Alike): boolean => action === 'create' || action === 'restore'

function conflicting({ conflict }: Undoing): false {
  conflict(changedSince())
  return false
}

/** It is where it should be, or somebody else put it there. */
const leaveTrashed = (undoing: Undoing, became: 'live' | 'trash', isChanged: boolean): false =>
  became === 'live' && isChanged ? conflicting(undoing) : false

async function toTrash({ store, tx, granted, caller, recordId, version, conflict }: Undoing): Promise<boolean> {
  return tried(tx, conflict, () => {
    const may = grant('delete', granted.table.id, caller, store.catalogue())
    const isSame = version === undefined ? undefined : (now: number) => now === version
    return prepareDelete(store, may, recordId, { ifMatch: isSame }).apply(tx)
  })
}

async function outOfTrash({ store, tx, granted, caller, recordId, conflict }: Undoing): Promise<boolean> {
  const tableId = granted.table.id
  const [row] = await tx.all(
    sql`SELECT id, user_id FROM trash WHERE table_id = ${tableId} AND item_id = ${recordId} AND kind = 'record'${store.db.dialect.forUpdate}`,
  )
  if (!row) return false
  return tried(tx, conflict, () => {
    if (!hasEveryRight(caller) && Number(row[1]) !== caller.userId) throw fail('access.denied', { what: 'restore what others deleted' })
    return restoreRecord(store, tx, caller, { id: Number(row[0]), tableId, itemId: recordId })
  })
}

/** Whether it could be done; if not, it was undone and told. */
async function tried(tx: Transaction, conflict: Undoing['conflict'], work: () => Promise<unknown>): Promise<boolean> {
  try {
    await tx.attempt(async () => work())
    return true
  } catch (error) {
    for (const failure of refusalsIn(error)) conflict(failure.code === 'record.stale' ? changedSince() : failure, failure.where.attribute)
    return false
  }
}

/** @throws what is no refusal of the write, such as a lost connection */
function refusalsIn(error: unknown): readonly Failure[] {
  const failures = error instanceof Failures ? error.failures : error instanceof Failure ? [error] : []
  if (failures.length === 0 || failures.some(({ status }) => status >= 500)) throw error
  return failures
}

/** What the batch did to one attribute. */
interface Touched {
  readonly before: Side
  readonly after: Side
  readonly isConverted: boolean
  /** The first change of the batch that touched it. */
  readonly first: number
}

/** Gives attributes the values that they had before the batch. */
async function revert(undoing: Undoing): Promise<boolean> {
  const { store, tx, granted, recordId, since, conflict } = undoing
  const texts = new Map<string, string>()
  const files = new Map<string, readonly HeldFile[]>()
  const touched = await attributesOf(undoing)
  if (touched.size === 0) return false
  let now: Present
  try {
    now = await present(store, tx, granted, recordId, new Set(touched.keys()))
  } catch (error) {
    for (const failure of refusalsIn(error)) conflict(failure)
    return false
  }
  const hasFiles = [...touched.keys()].some((key) => granted.attributes.get(key)!.type.files)
  const filesNow = hasFiles ? (await filesHeld(tx, store.db.dialect, granted.table.id, [recordId])).get(recordId) : undefined
  for (const [key, { before, after, isConverted, first }] of touched) {
    const attribute = granted.attributes.get(key)!
    const has = (side: Side) => !attribute.type.files || sameFiles(filesOf(side), filesNow?.get(key))
    const text = (side: Side) => textOf(attribute, side ?? (attribute.type.empty as Side))!
    const held = textOf(attribute, sideOf(now.values.get(key)!))
    if (isConverted) conflict(fail('batch.not_undoable', { why: 'The field got another type.' }), key)
    else if (isLeft(since, key, first)) conflict(changedSince(), key)
    else if (!(held === text(after) && has(after)) && !(held === text(before) && has(before))) conflict(changedSince(), key)
    else if (filesOf(before)) files.set(key, filesOf(before)!)
    else texts.set(key, text(before))
  }
  return write(undoing, now.version, texts, files)
}

const filesOf = (side: Side) => (typeof side === 'object' ? side?.files : undefined)

/** Writes as much as can be written. */
async function write(
  { store, tx, granted, caller, recordId, conflict }: Undoing,
  version: number,
  texts: Map<string, string>,
  files: Map<string, readonly HeldFile[]>,
): Promise<boolean> {
  while (texts.size + files.size > 0) {
    try {
      return await tx.attempt(async () => {
        const may = grant('update', granted.table.id, caller, store.catalogue())
        const record = await (await prepareUpdate(store, may, recordId, texts, { files })).apply(tx)
        return record.version > version
      })
    } catch (error) {
      const failures = refusalsIn(error)
      const faulty = new Set(failures.map(({ where }) => where.attribute).filter((key) => key !== undefined))
      for (const failure of failures) conflict(failure, failure.where.attribute)
      if (faulty.size === 0) return false
      for (const key of faulty) {
        texts.delete(key)
        files.delete(key)
      }
    }
  }
  return false
}

/** The attributes that exist for the caller and that the batch touched. */
async function attributesOf({ store, tx, columns, own }: Undoing): Promise<ReadonlyMap<string, Touched>> {
  const byKey = Map.groupBy(columns.values(), ({ name }) => name)
  const spans = new Map<string, { first: number; last: number; isConverted: boolean }>()
  for (const { touched, first, last, action } of own)
    for (const key of touched) {
      const known = spans.get(key) ?? { first, last, isConverted: false }
      const isConverted = known.isConverted || action === 'convert'
      if (byKey.has(key)) spans.set(key, { first: Math.min(known.first, first), last: Math.max(known.last, last), isConverted })
    }
  // Of all that the batch changed, only the first and the last change of each attribute are read.
  const wanted = new Map<number, string[]>()
  for (const [key, { first, last }] of spans)
    for (const id of new Set([first, last])) wanted.set(id, [...(wanted.get(id) ?? []), ...byKey.get(key)!.map(({ column }) => column)])
  const contents = new Map<number, Content>()
  for (const [id, some] of wanted) contents.set(id, await contentOf(store, tx, id, some))
  const found = new Map<string, Touched>()
  for (const [key, { first, last, isConverted }] of spans) {
    const sides = (id: number) => byKey.get(key)!.flatMap(({ column }) => contents.get(id)![column] ?? [])
    const [before] = sides(first)
    const after = sides(last).at(-1)
    if (before !== undefined && after !== undefined) found.set(key, { before, after, isConverted, first })
  }
  return found
}
