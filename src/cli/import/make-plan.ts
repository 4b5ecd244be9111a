import type { Administrator } from '../../store/administrator.ts'
import type { Field } from '../../store/catalogue.ts'
import { createField } from '../../store/fields.ts'
import type { Store } from '../../store/store.ts'
import { createTable } from '../../store/tables.ts'
import { guessType, type Guess } from './guess-type.ts'
import type { Column, Plan } from './import-lines.ts'
import type { Line } from './read-csv.ts'

/** What the caller wants of an import, as the flags say it. */
export interface Wishes {
  /** Header to attribute or field title; '' leaves the column out. */
  readonly map: ReadonlyMap<string, string>
  /** Header to field type, for fields that are made. */
  readonly types: ReadonlyMap<string, string>
  /** Header to `Table.Field`. */
  readonly references: ReadonlyMap<string, string>
  /** Headers of fields to make unique. */
  readonly unique: ReadonlySet<string>
  readonly nothing: string
}

/** What is going to happen with one column. */
export interface Intended {
  readonly header: string
  readonly index: number
  /** An attribute that exists, a field to make, or nothing. */
  readonly becomes: { readonly attribute: string; readonly title: string } | Making | undefined
  readonly reference?: Field | 'itself'
  /** Title of the unique field meant, where the table meant is the one still to be made. */
  readonly referenceTitle?: string
}

export interface Making extends Guess {
  readonly makes: string
  readonly unique: boolean
}

/** A wish that cannot be met. The message is a sentence for the person who wished. */
export class Unfit extends Error {}

/** @throws Unfit where a flag names a column, table or field that is not there. */
export function intend(store: Store, tableId: number | undefined, title: string, header: readonly string[], sample: readonly Line[], wishes: Wishes): Intended[] {
  mustBeHeaders(header, wishes)
  const table = tableId === undefined ? undefined : store.catalogue().tables.get(tableId)
  return header.map((name, index): Intended => {
    const wished = wishes.map.get(name)
    if (wished === '') return { header: name, index, becomes: undefined }
    const reference = wishes.references.get(name)
    const target = reference === undefined ? {} : referenceOf(store, title, reference)
    if (table) {
      const attribute = [...table.attributes.values()].find((one) => one.name === (wished ?? name)) ?? table.fields.find((one) => sameText(one.title, wished ?? name))
      if (!attribute && wished !== undefined) throw new Unfit(`Table '${table.title}' has no field '${wished}'.`)
      const becomes = attribute && attribute.name !== 'id' ? { attribute: attribute.name, title: 'title' in attribute ? String(attribute.title) : attribute.name } : undefined
      return { header: name, index, becomes, ...target }
    }
    if (['user_id', 'add_time', 'status'].includes(name)) return { header: name, index, becomes: { attribute: name, title: name } }
    const values = sample.map((line) => line.values[index] ?? '').map((value) => (value === wishes.nothing ? '' : value))
    const type = wishes.types.get(name)
    const guess = reference === undefined ? (type === undefined ? guessType(name, values) : { type }) : { type: 'reference' }
    return { header: name, index, becomes: { makes: wished ?? name, unique: wishes.unique.has(name), ...guess }, ...target }
  })
}

function mustBeHeaders(header: readonly string[], { map, types, references, unique }: Wishes): void {
  if (header.length === 0) throw new Unfit('The file has no header line.')
  const twice = header.find((name, i) => header.indexOf(name) !== i)
  if (twice !== undefined) throw new Unfit(`The column '${twice}' stands twice in the header.`)
  for (const name of [...map.keys(), ...types.keys(), ...references.keys(), ...unique]) {
    if (!header.includes(name)) throw new Unfit(`The file has no column '${name}'. Its columns: ${header.join(', ')}.`)
  }
}

function referenceOf(store: Store, ownTitle: string, text: string): Pick<Intended, 'reference' | 'referenceTitle'> {
  const dot = text.lastIndexOf('.')
  const [tableName, fieldName] = [text.slice(0, dot), text.slice(dot + 1)]
  if (dot < 1) throw new Unfit(`'${text}' should name a table and its unique field, such as Customers.Code.`)
  const table = [...store.catalogue().tables.values()].find((one) => String(one.id) === tableName || sameText(one.title, tableName))
  if (!table && sameText(ownTitle, tableName)) return { reference: 'itself', referenceTitle: fieldName }
  const field = table?.fields.find((one) => one.name === fieldName || sameText(one.title, fieldName))
  if (!table || !field) throw new Unfit(`There is no table and field '${text}'.`)
  if (!field.settings.unique) throw new Unfit(`The field '${field.title}' of table '${table.title}' is not unique, so it cannot name records.`)
  return { reference: field }
}

/** Makes the table and fields that are still missing, and says where each column goes. */
export async function carryOut(store: Store, by: Administrator, tableId: number | undefined, title: string, intended: readonly Intended[], nothing: string): Promise<Plan> {
  const id = tableId ?? (await createTable(store, by, { title }))
  const attributes = new Map<Intended, string>()
  for (const one of intended) {
    const { becomes } = one
    if (!becomes) continue
    if ('attribute' in becomes) attributes.set(one, becomes.attribute)
    else {
      const referenceTableId = one.reference === 'itself' ? id : one.reference?.tableId
      const fieldId = await createField(store, by, {
        tableId: id, title: becomes.makes, typeName: becomes.type, unique: becomes.unique,
        ...(becomes.scale !== undefined && { scale: becomes.scale }),
        ...(referenceTableId !== undefined && { referenceTableId }),
      })
      attributes.set(one, `f${fieldId}`)
    }
  }
  const table = store.catalogue().tables.get(id)!
  const columns = [...attributes].map(([one, attribute]): Column => {
    const reference = one.reference === 'itself' ? table.fields.find((field) => sameText(field.title, one.referenceTitle!)) : one.reference
    if (one.reference === 'itself' && !reference?.settings.unique) throw new Unfit(`The column '${one.referenceTitle!}' must be made unique (--unique) to name records.`)
    return { header: one.header, index: one.index, attribute, ...(reference && { reference }) }
  })
  return { tableId: id, columns, width: intended.length, nothing }
}

const sameText = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase()
