import { Failure, fail } from '../../errors.ts'
import type { Attribute } from '../../fields/field-type.ts'
import { columnsOf, seeRecord, textOf, wholeChanges, type HeldAttribute } from '../changes/list-changes.ts'
import { sideOf, type Content, type Side } from '../changes/content.ts'
import { statesOf, type State } from '../changes/states.ts'
import type { HeldFile } from '../ground/changes.ts'
import type { Transaction } from '../ground/db.ts'
import { seeRow } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import type { Granted } from '../model/access.ts'
import type { ShownRecord } from '../model/record.ts'
import { recordsOf } from '../model/catalogue.ts'
import { present } from '../records/present.ts'
import { filesHeld } from '../records/images.ts'
import { mustBeOpen } from '../records/record-values.ts'
import { prepareUpdate, type ChangeOptions } from '../records/write-records.ts'
import { name, sql } from '../../sql/sql.ts'
import { became } from './became.ts'
import { named } from './named.ts'
import { rehearse } from './rehearse.ts'

type Used = Uses<'db' | 'files' | 'context' | 'catalogue'>

export interface Version {
  /** Id of the change after which the record held what it is to hold again. */
  readonly change: number
  /** Undefined: all that the caller may write. */
  readonly attributes: readonly string[] | undefined
}

export interface Restored {
  readonly record: ShownRecord
  /** By attribute, what it held and holds now. */
  readonly changes: Readonly<Record<string, { readonly from: string; readonly to: string }>>
  /** Attributes that held another value then, and that the caller may not write; and those whose value names no record, where nobody changed it since. */
  readonly left: readonly string[]
}

/**
 * Gives a record, or some of its attributes, what they held after a change, as an ordinary update.
 * @throws what `updateRecord` throws; `resource.not_found` for a change that is not one of this record, or not for the caller;
 * `change.no_state`, `record.in_trash`
 */
export async function restoreVersion(
  store: Used,
  granted: Granted<'update' | 'read'>,
  id: number,
  version: Version,
  { dryRun = false, ...options }: ChangeOptions & { readonly dryRun?: boolean } = {},
): Promise<Restored> {
  await seeRecord(store, granted, id)
  const wanted = attributesOf(granted, version.attributes)
  const sides = await sidesAfter(store, granted, id, version.change, wanted)
  const work = (tx: Transaction) => restoreIn(store, tx, granted, id, { sides, isWhole: version.attributes === undefined }, options)
  return dryRun ? rehearse(store, work) : store.db.write(work)
}

/** @throws `attribute.unknown` */
function attributesOf({ attributes }: Granted<'update'>, names: readonly string[] | undefined): readonly Attribute[] {
  const all = [...attributes.values()].filter((one) => one.name !== 'id')
  return names
    ? names.map((key) => all.find((one) => one.name === key) ?? refuse(fail('attribute.unknown', { name: key }, { attribute: key })))
    : all
}

function refuse(failure: Failure): never {
  throw failure
}

type Held =
  | {
      readonly attribute: Attribute
      /** As the attribute shows it now; a field may have had another type then. */
      readonly text: string
      readonly files: readonly HeldFile[] | undefined
      readonly failure?: undefined
    }
  | {
      readonly attribute: Attribute
      /** What conversions made of it; undefined: somebody changed it before. */
      readonly text: string | undefined
      readonly files?: undefined
      /** Why it cannot be given back. */
      readonly failure: Failure
    }

/** What attributes held after a change of the record. */
async function sidesAfter(
  store: Used,
  granted: Granted<'read'>,
  recordId: number,
  id: number,
  wanted: readonly Attribute[],
): Promise<readonly Held[]> {
  const { table, caller } = granted
  const change = await seeRow(store, wholeChanges, caller, id)
  if (change?.tableId !== table.id || change.recordId !== recordId) throw await missing(store, granted, recordId, id)
  const columns = [...(await columnsOf(store, granted)).values()].filter((one) => wanted.some((other) => other.name === one.name))
  const [rows] = await store.db.readLittle(caller, sql`SELECT content FROM changes WHERE id = ${id}`)
  const content = JSON.parse(String(rows![0]?.[0] ?? '{}')) as Content
  const states = await statesOf(store, caller, table, [{ id, recordId, action: change.action, content }], columns)
  const state = states.get(id)?.after
  if (!state) throw fail('change.no_state', { change: id })
  return Promise.all(wanted.map((attribute) => heldIn(store, granted, { state, recordId, change: id }, attribute, columns)))
}

/** Why a record cannot get the values after a change that is not one of it, or not for the caller. One in the trash is not told of. */
async function missing(store: Used, { table, caller }: Granted<'read'>, recordId: number, id: number): Promise<Failure> {
  const [rows] = await store.db.readLittle(caller, sql`SELECT id FROM ${name(recordsOf(table.id))} WHERE id = ${recordId}`)
  return rows!.length > 0
    ? fail('resource.not_found', { type: 'change', id })
    : fail('record.not_found', { table: table.id, record: recordId })
}

/** A field that got another type has a column for each; only one of them held something at one time. */
async function heldIn(
  store: Used,
  { caller, table }: Granted<'read'>,
  { state, ...after }: { readonly state: State; readonly recordId: number; readonly change: number },
  attribute: Attribute,
  columns: readonly HeldAttribute[],
): Promise<Held> {
  const own = inTurn(columns, attribute)
  for (const [at, one] of own.entries()) {
    const side = state.side(one.column)
    if (side === null) continue
    const namesBy = attribute.type.target === 'record' && one.type.target !== 'record' ? namingOf(own, at) : undefined
    if (namesBy === undefined) return { attribute, text: textOf(one, side)!, files: filesIn(attribute, side) }
    const text = await named(store, caller, { from: one, to: attribute, namesBy }, side)
    if (typeof text === 'string') return { attribute, text, files: undefined }
    return { attribute, failure: text, text: await became(store, caller, { tableId: table.id, ...after }, own, [one, side], attribute) }
  }
  return { attribute, text: textOf(attribute, attribute.type.empty as Side)!, files: undefined }
}

/** The columns of an attribute in the order in which it had them; the present one is the last. `columns`: former ones in that order. */
const inTurn = (columns: readonly HeldAttribute[], { name: key, column }: Attribute): readonly HeldAttribute[] => {
  const own = columns.filter((one) => one.name === key)
  return [...own.filter((one) => one.column !== column), ...own.filter((one) => one.column === column)]
}

/** The unique field by whose values a column named records when its values became references; undefined: by their ids. */
function namingOf(columns: readonly HeldAttribute[], at: number): number | undefined {
  return columns.find((_, i) => i >= at && columns[i + 1]?.type.target === 'record')?.namesBy
}

const filesIn = ({ type }: Attribute, side: Side): Held['files'] => (type.files && typeof side === 'object' ? side?.files : undefined)

async function restoreIn(
  store: Used,
  tx: Transaction,
  granted: Granted<'update'>,
  id: number,
  { sides, isWhole }: { readonly sides: readonly Held[]; readonly isWhole: boolean },
  options: ChangeOptions,
): Promise<Restored> {
  const { table } = granted
  const [live] = await tx.all(sql`SELECT id FROM ${name(recordsOf(table.id))} WHERE id = ${id}`)
  if (!live) throw fail('record.in_trash', { record: id })
  const now = await present(store, tx, granted, id, new Set(sides.map(({ attribute }) => attribute.name)), options.ifMatch)
  const files = sides.some((one) => one.attribute.type.files) ? (await filesHeld(tx, store.db.dialect, table.id, [id])).get(id) : undefined
  const changes: Record<string, { from: string; to: string }> = {}
  const texts = new Map<string, string>()
  const old = new Map<string, readonly HeldFile[]>()
  const left: string[] = []
  for (const held of sides) {
    const { attribute } = held
    const key = attribute.name
    const from = textOf(attribute, sideOf(now.values.get(key)!))!
    const isSame = from === held.text && sameFiles(held.files, files?.get(key))
    if (held.failure) {
      if (!isWhole || (!isSame && isOpen(granted, attribute))) throw held.failure
      left.push(key)
      continue
    }
    if (isSame) continue
    if (isWhole && !isOpen(granted, attribute)) {
      left.push(key)
      continue
    }
    changes[key] = { from, to: held.text }
    if (held.files) old.set(key, held.files)
    else texts.set(key, held.text)
  }
  const { apply } = await prepareUpdate(store, granted, id, texts, { ...options, files: old })
  return { record: await apply(tx), changes, left }
}

export const sameFiles = (one: Held['files'], other: Held['files']): boolean =>
  JSON.stringify(one?.map(({ name: file, hash }) => [file, hash]) ?? []) ===
  JSON.stringify(other?.map(({ name: file, hash }) => [file, hash]) ?? [])

/** Whether the caller may set an attribute. */
function isOpen(granted: Granted<'update'>, attribute: Attribute): boolean {
  try {
    mustBeOpen({ granted, keepsOrigin: false }, attribute)
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
