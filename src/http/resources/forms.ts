import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'

/** How a value of the service's own resources is represented in JSON: by JSON types, not by text (DECISIONS S1). */
export interface Form {
  /** The value that `null` stands for. */
  readonly empty: unknown
  /** @throws `field.invalid_value` for another JSON type. */
  read(value: unknown): unknown
  show(value: unknown): unknown
}

const same = (value: unknown): unknown => value
const refuse = (why: string) => fail('field.invalid_value', { why })

const form = (empty: unknown, says: string, fits: (value: unknown) => boolean, show = same, read = same): Form => ({
  empty,
  show,
  read(value) {
    if (!fits(value)) throw refuse(`This attribute is ${says}.`)
    return read(value)
  },
})

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length <= limits.listMembers.most
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

export const string = form('', 'a string', (value) => typeof value === 'string' && !value.includes('\0') && value.isWellFormed())
/** What only the service sets, and shows as it is. */
export const asIs = form(null, 'set by the service', () => false)
export const integer = form(0, 'a whole number', isWhole)
/** A whole number or, where it is not set, null. */
export const optionalInteger = form(null, 'a whole number or null', (value) => value === null || (isWhole(value) && value >= 0))
export const boolean = form(false, 'true or false', (value) => typeof value === 'boolean')
/** A boolean that is 0 or 1 on the wire. */
export const flag = form(false, '0 or 1', (value) => value === 0 || value === 1, Number, Boolean)
/** The bounds of a number: sent as text or as a JSON number. */
export const bound = form('', 'a string or a number', (value) => typeof value === 'string' || typeof value === 'number', same, String)
export const strings = form(
  [],
  `an array of at most ${limits.listMembers.most} strings`,
  (value) => isList(value) && value.every((one) => typeof one === 'string'),
)
/** Ids, or null for no limit. */
export const optionalIds = form(
  null,
  `an array of at most ${limits.listMembers.most} whole numbers or null`,
  (value) => value === null || (isList(value) && value.every((one) => isWhole(one) && one > 0)),
)

/** Labels, or objects with `id` and `label`. */
export const options: Form = {
  empty: [],
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

/** {"12": "hidden"}; a field left out is writable. */
export const fieldRights: Form = {
  empty: {},
  show: (value) => value ?? {},
  read(value) {
    if (!isObject(value) || Object.values(value).some((right) => typeof right !== 'string')) {
      throw refuse("This attribute is an object of field ids, each 'hidden' or 'read_only'.")
    }
    return value
  },
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
