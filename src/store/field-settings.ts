import { Failure, Failures, fail } from '../errors.ts'
import type { FieldSettings, FieldType, Option, Stored, TypeSetting, ValueContext } from '../fields/field-type.ts'
import { parseValue } from '../fields/value.ts'
import type { Catalogue } from './catalogue.ts'

/** A field as administrators describe it; null, '' and [] stand for "not set". */
export interface FieldInfo {
  readonly id: number
  readonly tableId: number
  /** f and the id: the name of the attribute. */
  readonly intName: string
  readonly title: string
  readonly typeName: string
  readonly sequence: number
  readonly required: boolean
  readonly unique: boolean
  readonly defaultValue: string
  readonly hint: string
  readonly maxLength: number | null
  readonly scale: number | null
  readonly min: string
  readonly max: string
  readonly referenceTableId: number | null
  readonly fileExtensions: readonly string[]
  readonly maxFiles: number | null
  readonly maxKilobytes: number | null
}

const unset = { maxLength: null, scale: null, min: '', max: '', referenceTableId: null, fileExtensions: [], maxFiles: null, maxKilobytes: null } as const
type Info = Omit<FieldInfo, 'id' | 'tableId' | 'intName'>

/** What a new field has where nothing else is asked for. */
export const fieldDefaults: Info = {
  title: '', typeName: '', sequence: 0, required: false, unique: false, defaultValue: '', hint: '', ...unset,
}

/** What a field of another type cannot keep. */
export function resetFor(type: FieldType): Partial<FieldInfo> {
  const lost = Object.entries(unset).filter(([setting]) => !type.settings.includes(setting as TypeSetting))
  return { ...Object.fromEntries(lost), defaultValue: '', ...(!type.canBeUnique && { unique: false }) }
}

/** The settings as the field type reads them. */
export function settingsOf(info: Info, options: readonly Option[], type: FieldType): FieldSettings {
  const { required, unique, defaultValue, hint, maxLength, scale, min, max, referenceTableId, fileExtensions, maxFiles, maxKilobytes } = info
  return {
    required, unique, defaultValue, hint,
    ...(maxLength !== null && { maxLength }), ...(scale !== null && { scale }), ...(maxFiles !== null && { maxFiles }), ...(maxKilobytes !== null && { maxKilobytes }),
    ...(min !== '' && { min }), ...(max !== '' && { max }), ...(referenceTableId !== null && { referenceTableId }),
    ...(fileExtensions.length > 0 && { fileExtensions }), ...(type.settings.includes('options') && { options }),
  }
}

/** @throws Failures: everything that is wrong with the settings of a field, each pointing at its property. */
export function checkSettings(type: FieldType, info: Info, settings: FieldSettings, catalogue: Catalogue, context: ValueContext): void {
  const failures: Failure[] = []
  const refuse = (property: string, why: string) => failures.push(fail('field.invalid_value', { why }, at(property)))
  for (const [setting, none] of Object.entries(unset)) {
    const value = info[setting as keyof typeof unset]
    if (!type.settings.includes(setting as TypeSetting) && String(value) !== String(none)) refuse(setting, `A field of type ${type.name} has no such setting.`)
  }
  if (info.unique && !type.canBeUnique) refuse('unique', `A field of type ${type.name} cannot be unique.`)
  const within = (property: 'maxLength' | 'scale' | 'maxFiles' | 'maxKilobytes', least: number, most: number) => {
    const value = info[property]
    if (value !== null && type.settings.includes(property) && (value < least || value > most)) refuse(property, `It is between ${least} and ${most}.`)
  }
  within('maxLength', 1, type.longest ?? 1_000_000)
  within('scale', 0, 9)
  within('maxFiles', 1, 1_000)
  within('maxKilobytes', 1, 1_000_000_000)
  if (type.settings.includes('referenceTableId') && !catalogue.tables.has(info.referenceTableId ?? 0)) {
    refuse('referenceTableId', info.referenceTableId === null ? 'A reference needs the table it refers to.' : `There is no table ${info.referenceTableId}.`)
  }
  if (type.settings.includes('options') && !settings.options?.some((option) => !option.removed)) refuse('options', `A field of type ${type.name} needs options.`)
  for (const extension of info.fileExtensions) {
    if (!/^[a-z0-9]{1,20}$/.test(extension)) refuse('fileExtensions', 'An extension is of small letters and digits, without the point.')
    else if (type.extensions && !type.extensions.includes(extension)) refuse('fileExtensions', `A field of type ${type.name} takes ${type.extensions.join(', ')}.`)
  }
  if (failures.length === 0) failures.push(...unfit(type, settings, context))
  if (failures.length > 0) throw new Failures(failures)
}

/** Bounds and default are values of the type themselves. */
function unfit(type: FieldType, settings: FieldSettings, context: ValueContext): Failure[] {
  const { min, max, ...unbounded } = settings
  const failures: Failure[] = []
  const read = (property: string, text: string | undefined, under: FieldSettings): Stored | undefined => {
    if (text === undefined || text === '') return undefined
    try {
      return parseValue(type, text, under, context)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      failures.push(error.at(at(property).source))
      return undefined
    }
  }
  const lowest = read('min', min, unbounded)
  const highest = read('max', max, unbounded)
  if (lowest !== undefined && highest !== undefined && lowest > highest) failures.push(fail('field.invalid_value', { why: 'The least value is greater than the greatest.' }, at('min')))
  if (failures.length > 0) return failures
  if (settings.defaultValue !== '' && (type.files || type.assigned)) return [fail('field.invalid_value', { why: `A field of type ${type.name} has no default.` }, at('defaultValue'))]
  read('defaultValue', settings.defaultValue, settings)
  return failures
}

const at = (property: string) => ({ source: { pointer: `/data/attributes/${property}` } })
