import { Failure, fail } from '../../errors.ts'
import { plain, type Schema } from '../../fields/field-type.ts'
import { quoted } from '../../fields/forms/quoted.ts'
import { builtIn } from '../../fields/index.ts'
import { parseValue } from '../../fields/value.ts'
import { structureSchema, type StructureDocument } from './document.ts'

/** @throws `structure.invalid` for what is no JSON, or no document of this format */
export function readDocument(json: string): StructureDocument {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch (error) {
    if (error instanceof SyntaxError) throw invalid('', 'It is not JSON.')
    throw error
  }
  mustFit(structureSchema, parsed, '')
  const document = parsed as StructureDocument
  for (const [place, name] of namesIn(document, '')) mustBeTitle(place, name)
  return document
}

/** `place`: a JSON pointer. */
export const invalid = (place: string, why: string): Failure => fail('structure.invalid', { place, why })

/** Names, with their places. */
function* namesIn(value: unknown, place: string): Generator<readonly [string, string]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, one] of Object.entries(value)) {
    if (key === 'name' && typeof one === 'string') yield [`${place}/name`, one]
    else yield* namesIn(one, `${place}/${key}`)
  }
}

/** As the service reads the names that requests send. */
function mustBeTitle(place: string, name: string): void {
  try {
    parseValue(builtIn.text, name, plain, { timeZone: 'UTC' })
  } catch (error) {
    if (error instanceof Failure) throw invalid(place, error.message)
    throw error
  }
}

/** Knows the words of JSON Schema that document.ts uses. */
function mustFit(schema: Schema, value: unknown, place: string): void {
  const why = faultOf(schema, value)
  if (why !== undefined) throw invalid(place, why)
  const { properties, additionalProperties, items, oneOf } = schema as Words
  if (oneOf) return mustFitOne(oneOf, value, place)
  if (Array.isArray(value)) {
    if (items) for (const [i, one] of value.entries()) mustFit(items, one, `${place}/${i}`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) {
      const known = properties && Object.hasOwn(properties, key) ? properties[key] : additionalProperties
      if (!known) throw invalid(`${place}/${key}`, `There is no such member here. Known: ${Object.keys(properties ?? {}).join(', ')}.`)
      mustFit(known, one, `${place}/${key}`)
    }
  }
}

interface Words {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | false
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
}

/** The first that fits in its outermost form; what is wrong in it is then said of it. */
function mustFitOne(schemas: readonly Schema[], value: unknown, place: string): void {
  const fitting = schemas.find((schema) => faultOf(schema, value) === undefined)
  if (!fitting) throw invalid(place, faultOf(schemas.at(-1)!, value)!)
  mustFit(fitting, value, place)
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : Number.isSafeInteger(value) ? 'integer' : typeof value

/** What is wrong with a value, apart from what is in it. */
function faultOf(schema: Schema, value: unknown): string | undefined {
  const words = schema as Words
  if (words.const !== undefined && value !== words.const) return `It must be ${JSON.stringify(words.const)}.`
  if (words.enum && !words.enum.includes(value)) return `It must be one of ${words.enum.join(', ')}.`
  if (words.type !== undefined && typeOf(value) !== words.type) return `It must be ${/^[aio]/.test(words.type) ? 'an' : 'a'} ${words.type}.`
  if (typeof value === 'string') return faultOfText(words, value)
  if (typeof value === 'number' && (value < (words.minimum ?? value) || value > (words.maximum ?? value))) return 'It is out of range.'
  if (Array.isArray(value) && value.length > (words.maxItems ?? value.length)) return `It has more than ${words.maxItems} members.`
  const lost = words.required?.find((key) => !Object.hasOwn(value as object, key))
  return lost === undefined ? undefined : `It has no ${quoted(lost)}.`
}

function faultOfText({ minLength = 0, maxLength = Infinity }: Words, value: string): string | undefined {
  if (value.length < minLength) return 'It must not be empty.'
  return value.length > maxLength && [...value].length > maxLength ? `It has more than ${maxLength} characters.` : undefined
}
