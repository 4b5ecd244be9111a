import { Failure, Failures, fail } from '../../errors.ts'
import type { FieldSettings, FieldType, Option, TypeSetting, ValueContext } from '../../fields/field-type.ts'
import { mustNotExceed } from '../../fields/forms/texts.ts'
import { checkSettings } from '../../fields/settings.ts'
import { limits } from '../../limits.ts'
import type { Catalogue } from '../model/catalogue.ts'

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

const unset = {
  maxLength: null,
  scale: null,
  min: '',
  max: '',
  referenceTableId: null,
  fileExtensions: [],
  maxFiles: null,
  maxKilobytes: null,
} as const
type Info = Omit<FieldInfo, 'id' | 'tableId' | 'intName'>

/** What a new field has where nothing else is asked for. */
export const fieldDefaults: Info = {
  title: '',
  typeName: '',
  sequence: 0,
  required: false,
  unique: false,
  defaultValue: '',
  hint: '',
  ...unset,
}

/** What a field of another type cannot keep. */
export function resetFor(type: FieldType): Partial<FieldInfo> {
  const lost = Object.entries(unset).filter(([setting]) => !type.settings.includes(setting as TypeSetting))
  return { ...Object.fromEntries(lost), defaultValue: '', ...(!type.canBeUnique && { unique: false }) }
}

/** The settings as the field type reads them. */
export function settingsOf(info: Info, options: readonly Option[]): FieldSettings {
  const { required, unique, defaultValue, hint, maxLength, scale, min, max, referenceTableId, fileExtensions, maxFiles, maxKilobytes } =
    info
  return {
    required,
    unique,
    defaultValue,
    hint,
    ...(maxLength !== null && { maxLength }),
    ...(scale !== null && { scale }),
    ...(maxFiles !== null && { maxFiles }),
    ...(maxKilobytes !== null && { maxKilobytes }),
    ...(min !== '' && { min }),
    ...(max !== '' && { max }),
    ...(referenceTableId !== null && { referenceTableId }),
    ...(fileExtensions.length > 0 && { fileExtensions }),
    ...(options.length > 0 && { options }),
  }
}

/**
 * `before`: the table it refers to already, which may be in the trash by now.
 * @throws Failures: everything that is wrong with the settings of a field, each pointing at its attribute.
 */
export function checkInfo(type: FieldType, settings: FieldSettings, catalogue: Catalogue, context: ValueContext, before?: number): void {
  const failures: Failure[] = []
  try {
    checkSettings(type, settings, context)
  } catch (error) {
    if (error instanceof Failure) failures.push(error)
    else if (error instanceof Failures) failures.push(...error.failures)
    else throw error
  }
  const { referenceTableId = before } = settings
  const refers = type.settings.includes('referenceTableId') && referenceTableId !== undefined
  if (refers && referenceTableId !== before && !catalogue.tables.has(referenceTableId)) {
    failures.push(fail('field.invalid_value', { why: `There is no table ${referenceTableId}.` }, { attribute: 'referenceTableId' }))
  }
  if (failures.length > 0) throw new Failures(failures)
}

/**
 * Every process has these texts of all fields in memory. `now`: what stands there already is not judged again.
 * @throws `field.invalid_value`
 */
export function mustBeBrief(info: Pick<FieldInfo, 'hint' | 'defaultValue'>, now?: Pick<FieldInfo, 'hint' | 'defaultValue'>): void {
  for (const [property, { most }] of [
    ['hint', limits.hint],
    ['defaultValue', limits.fieldDefault],
  ] as const) {
    if (info[property] === now?.[property]) continue
    try {
      mustNotExceed(info[property], most)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      throw error.at({ attribute: property })
    }
  }
}
