import { fail } from '../../errors.ts'
import type { Schema } from '../../fields/field-type.ts'
import { limits } from '../../limits.ts'
import { columnFigures } from '../../store/people/saved-views.ts'
import { readFieldRights, writeFieldRights, type FieldRight, type WrittenFieldRights } from '../../store/model/field-rights.ts'

/** How a value of the service's own resources is represented in JSON: by JSON types, not by text (DECISIONS S1). */
export interface Form {
  /** The value that `null` stands for. */
  readonly empty: unknown
  /** @throws `field.invalid_value` for another JSON type. */
  read(value: unknown): unknown
  show(value: unknown): unknown
  /** As answers show it, and as requests may send it (null is accepted besides). */
  readonly schema: { readonly shown: Schema; readonly sent: Schema }
}

const same = (value: unknown): unknown => value
const refuse = (why: string) => fail('field.invalid_value', { why })

/** `sent`: where requests may send more than answers show. */
const form = (
  empty: unknown,
  says: string,
  shown: Schema,
  fits: (value: unknown) => boolean,
  { show = same, read = same, sent = shown } = {},
): Form => ({
  empty,
  show,
  schema: { shown, sent },
  read(value) {
    if (!fits(value)) throw refuse(`This attribute is ${says}.`)
    return read(value)
  },
})

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length <= limits.listMembers.most
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

const isText = (value: unknown): value is string => typeof value === 'string' && !value.includes('\0') && value.isWellFormed()

export const string = form('', 'a string', { type: 'string' }, isText)
/** What only the service sets, and shows as it is. */
export const asIs = form(null, 'set by the service', { type: ['object', 'array', 'null'] }, () => false)
export const json = form(null, 'any JSON', {}, () => true)
export const integer = form(0, 'a whole number', { type: 'integer' }, isWhole)
/** A whole number or, where it is not set, null. */
export const optionalInteger = form(
  null,
  'a whole number or null',
  { type: ['integer', 'null'], minimum: 0 },
  (value) => value === null || (isWhole(value) && value >= 0),
)
export const boolean = form(false, 'true or false', { type: 'boolean' }, (value) => typeof value === 'boolean')
/** A boolean that is 0 or 1 on the wire. */
export const flag = form(false, '0 or 1', { enum: [0, 1] }, (value) => value === 0 || value === 1, { show: Number, read: Boolean })
/** The bounds of a number: sent as text or as a JSON number. */
export const bound = form(
  '',
  'a string or a number',
  { type: 'string' },
  (value) => typeof value === 'string' || typeof value === 'number',
  {
    read: String,
    sent: { type: ['string', 'number'] },
  },
)
export const strings = form(
  [],
  `an array of at most ${limits.listMembers.most} strings`,
  { type: 'array', items: { type: 'string' }, maxItems: limits.listMembers.most },
  (value) => isList(value) && value.every((one) => typeof one === 'string'),
)
export const idList = form(
  [],
  `an array of at most ${limits.listMembers.most} whole numbers`,
  { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: limits.listMembers.most },
  (value) => isList(value) && value.every((one) => isWhole(one) && one > 0),
)
/** Ids, or null for no limit. */
export const optionalIds = form(
  null,
  `an array of at most ${limits.listMembers.most} whole numbers or null`,
  { type: ['array', 'null'], items: { type: 'integer', minimum: 1 }, maxItems: limits.listMembers.most },
  (value) => value === null || (isList(value) && value.every((one) => isWhole(one) && one > 0)),
)

/** Texts by ids. */
export const textsById = form(
  {},
  `an object of at most ${limits.listMembers.most} texts by ids`,
  {
    type: 'object',
    maxProperties: limits.listMembers.most,
    propertyNames: { pattern: '^[1-9][0-9]{0,15}$' },
    additionalProperties: { type: 'string' },
  },
  (value) =>
    isObject(value) &&
    Object.keys(value).length <= limits.listMembers.most &&
    Object.entries(value).every(([id, text]) => /^[1-9]\d{0,15}$/.test(id) && isText(text)),
)

const option = (...required: readonly string[]): Schema => ({
  type: 'object',
  properties: { id: { type: 'integer' }, label: { type: 'string', maxLength: limits.optionLabel.most } },
  required,
})
const listOf = (items: Schema): Schema => ({ type: 'array', items, maxItems: limits.listMembers.most })

/** Labels, or objects with `id` and `label`. */
export const options: Form = {
  empty: [],
  schema: { shown: listOf(option('id', 'label')), sent: listOf({ anyOf: [{ type: 'string' }, option('label')] }) },
  show: (value) => (value as readonly { id: number; label: string }[]).map(({ id, label }) => ({ id, label })),
  read(value) {
    if (Array.isArray(value) && value.length > limits.listMembers.most)
      throw refuse(`A field has at most ${limits.listMembers.most} options.`)
    if (!Array.isArray(value)) throw refuse('Options are an array of labels, or of objects with id and label.')
    return value.map((one: unknown) => {
      if (typeof one === 'string') return { label: one }
      if (!isObject(one) || typeof one['label'] !== 'string' || !(one['id'] === undefined || isWhole(one['id']))) {
        throw refuse('An option is a label, or an object with id and label.')
      }
      return { id: one['id'], label: one['label'] }
    })
  },
}

const rightOn = (...words: FieldRight[]): Schema => ({ type: 'object', additionalProperties: { enum: words } })
const allowList: Schema = {
  type: 'object',
  properties: { allow: rightOn('writable', 'read_only') },
  required: ['allow'],
  additionalProperties: false,
}
const columnOfView: Schema = {
  type: 'object',
  properties: {
    attribute: { type: 'string' },
    width: { type: 'integer', minimum: 1, maximum: limits.columnWidth.most },
    wrap: { type: 'boolean' },
    frozen: { type: 'boolean' },
    figure: { enum: columnFigures },
    hidden: { type: 'boolean' },
    after: { type: 'string' },
  },
  required: ['attribute'],
}
const columnsOfView: Schema = { type: 'array', items: columnOfView, maxItems: limits.viewColumns.most }

/** The columns of a view. */
export const columns: Form = {
  empty: [],
  schema: { shown: columnsOfView, sent: columnsOfView },
  show: same,
  read(value) {
    const { most } = limits.viewColumns
    if (!Array.isArray(value) || value.length > most)
      throw refuse(`Columns are an array of at most ${most} objects with attribute, width, wrap, frozen, figure, hidden and after.`)
    return value.map((one: unknown) => {
      const { attribute, width, wrap, frozen, figure, hidden, after, ...others } = isObject(one) ? one : {}
      const isWidth = width === undefined || (isWhole(width) && width >= 1 && width <= limits.columnWidth.most)
      const areFlags = [wrap, frozen, hidden].every((flag) => flag === undefined || typeof flag === 'boolean')
      const isFigure = figure === undefined || columnFigures.some((one) => one === figure)
      const isPlace = after === undefined || typeof after === 'string'
      if (typeof attribute !== 'string' || !isWidth || !areFlags || !isFigure || !isPlace || Object.keys(others).length > 0)
        throw refuse(
          `A column is an object with attribute and, unless they are left out, width: 1 to ${limits.columnWidth.most} pixels, wrap, frozen and hidden: true or false, after: an attribute or '', and figure: one of ${columnFigures.join(', ')}.`,
        )
      return {
        attribute,
        ...(width !== undefined && { width }),
        ...(wrap === true && { wrap }),
        // Of `*` it says that no column is frozen.
        ...((frozen === true || (frozen === false && attribute === '*')) && { frozen }),
        ...(figure !== undefined && { figure }),
        ...(hidden === true && { hidden }),
        ...(after !== undefined && { after }),
      }
    })
  },
}

const rightsOfFields: Schema = { anyOf: [allowList, rightOn('hidden', 'read_only')] }

/** What a rule says of single attributes: {"f12": "hidden"}, or {"allow": {"f12": "read_only"}}. The store checks names and words. */
export const fieldRights: Form = {
  empty: {},
  schema: { shown: rightsOfFields, sent: rightsOfFields },
  show: (value) => writeFieldRights(readFieldRights(value as WrittenFieldRights | null)),
  read(value) {
    const refusal = () => refuse("This attribute is an object of fields, each 'hidden' or 'read_only'; or {\"allow\": {…}}, see access.")
    if (!isObject(value)) throw refusal()
    const named = isObject(value['allow']) && Object.keys(value).length === 1 ? value['allow'] : value
    if (Object.values(named).some((right) => typeof right !== 'string')) throw refusal()
    return value
  },
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
