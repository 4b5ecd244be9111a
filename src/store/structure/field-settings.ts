import { Failure, Failures, fail } from '../../errors.ts'
import type { FieldSettings, FieldType, Option, TypeSetting, ValueContext } from '../../fields/field-type.ts'
import { mustNotExceed } from '../../fields/forms/texts.ts'
import { fieldType } from '../../fields/index.ts'
import { checkSettings } from '../../fields/settings.ts'
import { limits } from '../../limits.ts'
import { setOnly, unset, type SettingValues } from '../catalogue/setting-columns.ts'
import type { Catalogue } from '../model/catalogue.ts'

/** A field as administrators describe it; null, '' and [] stand for "not set". */
export interface FieldInfo extends SettingValues {
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
  /** The heading under which the record shows it; '' for none (DECISIONS S20). */
  readonly section: string
}

type Info = Omit<FieldInfo, 'id' | 'tableId' | 'intName'>

/** The settings of a new field that were not sent. */
export const fieldDefaults: Info = {
  title: '',
  typeName: '',
  sequence: 0,
  required: false,
  unique: false,
  defaultValue: '',
  hint: '',
  section: '',
  ...unset,
}

/** The settings that a field loses when its type changes. */
export function resetFor(type: FieldType): Partial<FieldInfo> {
  const lost = Object.entries(unset).filter(([setting]) => !type.settings.includes(setting as TypeSetting))
  return { ...Object.fromEntries(lost), defaultValue: '', ...(!type.canBeUnique && { unique: false }) }
}

/** The settings as the field type reads them. */
export function settingsOf(info: Info, options: readonly Option[], { phoneCountry }: Pick<Catalogue, 'phoneCountry'>): FieldSettings {
  const { required, unique, defaultValue, hint } = info
  const byCountry = fieldType(info.typeName)?.byCountry && { phoneCountry }
  return { required, unique, defaultValue, hint, ...setOnly(info), ...(options.length > 0 && { options }), ...byCountry }
}

/**
 * `before`: the table that the field refers to already, which may be in the trash.
 * @throws Failures, one for each setting that is wrong, with its attribute
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
 * Limits the length of these texts, which every process has in memory for all fields. `now`: the present ones, which are not
 * checked again. @throws `field.invalid_value`
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
