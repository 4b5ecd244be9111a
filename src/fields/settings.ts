import { Failure, Failures, fail } from '../errors.ts'
import { limits } from '../limits.ts'
import {
  typeSettings,
  typeSettingRows,
  type FieldSettings,
  type FieldType,
  type Option,
  type Stored,
  type TypeSetting,
  type ValueContext,
} from './field-type.ts'
import { foldedOptions } from './forms/options.ts'
import { mustBeOneLine, mustNotExceed } from './forms/texts.ts'
import { quoted } from './forms/quoted.ts'
import { isDefaultWord, parseLiteral, parseValue } from './value.ts'

/** The name of a setting in messages. */
const shownName = (setting: Checked): string =>
  setting === 'unique' ? 'unique' : setting === 'defaultValue' ? 'default_value' : typeSettings[setting].name
type Checked = TypeSetting | 'unique' | 'defaultValue'

type Check = (type: FieldType, settings: FieldSettings, context: ValueContext) => void

/** The check of each setting that is set. */
const checks: Readonly<Record<TypeSetting, Check>> = {
  maxLength: ({ longest = 0 }, { maxLength }) => mustBeWhole('maxLength', maxLength!, 1, longest),
  scale: (_, { scale }) => mustBeWhole('scale', scale!, 0, limits.scale.most),
  min: (type, settings, context) => void bound('min', type, settings, context),
  max(type, settings, context) {
    const max = bound('max', type, settings, context)
    if (settings.min !== undefined && bound('min', type, settings, context) > max)
      throw unfit('max', `${settings.max} is less than min, which is ${settings.min}.`)
  },
  options: (_, { options = [] }) => mustBeOptions(options),
  referenceTableId: (_, { referenceTableId }) => mustBeWhole('referenceTableId', referenceTableId!, 1, Number.MAX_SAFE_INTEGER),
  fileExtensions: (type, { fileExtensions = [] }) => mustBeExtensions(type, fileExtensions),
  maxFiles: (_, { maxFiles }) => mustBeWhole('maxFiles', maxFiles!, 1, limits.listMembers.most),
  maxKilobytes: (_, { maxKilobytes }) => mustBeWhole('maxKilobytes', maxKilobytes!, 1, limits.fileKilobytes.most),
}

/**
 * Does not check whether the table of a reference exists.
 * @throws `field.invalid_value` of the setting; Failures if there are several
 */
export function checkSettings(type: FieldType, settings: FieldSettings, context: ValueContext = { timeZone: 'UTC' }): void {
  const failures = typeSettingRows.flatMap(([setting, { needed }]) => {
    const applies = type.settings.includes(setting)
    if (settings[setting] === undefined) return applies && needed ? [unfit(setting, `a field of type ${type.name} needs it.`)] : []
    return applies
      ? failuresOf(() => checks[setting](type, settings, context))
      : [unfit(setting, `a field of type ${type.name} has no such setting.`)]
  })
  if (settings.unique && !type.canBeUnique) failures.push(unfit('unique', `values of type ${type.name} cannot be unique.`))
  if (settings.unique && settings.defaultValue !== '')
    failures.push(unfit('unique', 'the second record with the default would be refused.'))
  // The other settings decide how a default is parsed, so they must be correct first.
  if (failures.length === 0 && settings.defaultValue !== '') failures.push(...failuresOf(() => mustBeDefault(type, settings, context)))
  if (failures.length === 1) throw failures[0]!
  if (failures.length > 1) throw new Failures(failures)
}

function mustBeDefault(type: FieldType, settings: FieldSettings, context: ValueContext): void {
  if (type.files || type.assigned) throw unfit('defaultValue', `a field of type ${type.name} has no default.`)
  if (isDefaultWord(type, settings)) return
  naming('defaultValue', () => parseValue(type, settings.defaultValue, settings, context))
}

function failuresOf(work: () => void): Failure[] {
  try {
    work()
    return []
  } catch (error) {
    if (error instanceof Failure) return [error]
    throw error
  }
}

function bound(setting: 'min' | 'max', type: FieldType, settings: FieldSettings, context: ValueContext): Stored {
  if (settings[setting] === '') throw unfit(setting, 'an empty text is no bound.')
  return naming(setting, () => parseLiteral(type, settings[setting]!, settings, context))
}

function mustBeWhole(setting: Checked, value: number, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most)
    throw unfit(setting, `a whole number from ${least} to ${most} is needed.`)
}

function mustBeOptions(options: readonly Option[]): void {
  if (options.length === 0) throw unfit('options', 'at least one option is needed.')
  // Removed options have a limit of their own (optionsPerField).
  if (options.filter(({ removed }) => !removed).length > limits.listMembers.most)
    throw unfit('options', `there is room for ${limits.listMembers.most} options.`)
  const ids = new Set<number>()
  const labels = new Set<string>()
  const folds = foldedOptions({ options })
  for (const [i, { id, label, removed }] of options.entries()) {
    mustBeLabel(label)
    const folded = folds[i]!.label
    if (!removed && labels.has(folded)) throw unfit('options', `there are two options ${quoted(label)}.`)
    if (ids.has(id)) throw unfit('options', `there are two options with the id ${id}.`)
    if (!removed) labels.add(folded)
    // New options have the id 0.
    if (id !== 0) ids.add(id)
  }
}

function mustBeLabel(label: string): void {
  naming('options', () => {
    if (label === '') throw fail('field.invalid_value', { why: 'A label is empty.' })
    mustBeOneLine(label)
    mustNotExceed(label, limits.optionLabel.most)
    if (label.includes('\0') || !label.isWellFormed()) throw fail('field.invalid_value', { why: `${quoted(label)} cannot be stored.` })
  })
}

function mustBeExtensions({ name, extensions }: FieldType, chosen: readonly string[]): void {
  if (chosen.length === 0) throw unfit('fileExtensions', 'at least one extension is needed.')
  for (const extension of chosen) {
    if (!/^[a-z0-9]+$/.test(extension) || extension.length > limits.extension.most)
      throw unfit('fileExtensions', `${quoted(extension)} is not an extension in lower case without the dot.`)
    if (extensions && !extensions.includes(extension))
      throw unfit('fileExtensions', `a field of type ${name} takes ${extensions.join(', ')} only.`)
  }
}

/** Runs `work`. A Failure is thrown as a failure of the setting. */
function naming<T>(setting: Checked, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof Failure ? unfit(setting, error.message) : error
  }
}

const unfit = (setting: Checked, why: string): Failure =>
  fail('field.invalid_value', { why: `The setting ${shownName(setting)}: ${why}` }, { attribute: setting })
