import type { Attribute, FieldType, Stored } from '../../fields/field-type.ts'
import { folding } from '../../fields/fold.ts'
import { foldingOptions } from '../../fields/forms/options.ts'
import { foldedText } from '../../fields/forms/texts.ts'
import { memo } from '../../memory/memo.ts'
import type { View } from '../model/access.ts'
import type { SentAttributes } from '../model/sent.ts'
import { inTurns, othersTurn } from '../scheduling/others-turn.ts'

/*
 * Folding a text of a million letters, or the labels of a list, may take 100 ms. So values that were sent are folded before their write
 * begins, in steps, with other work between the steps.
 */

/** The folded text of each long text. */
export type Keys = ReadonlyMap<string, string>

export const noKeys: Keys = new Map()

/** Code units from which on a text is folded before the write. */
const LONG = 32_768

/** The keys of the long texts among the values sent. */
export async function keysAhead(granted: View, sent: SentAttributes): Promise<Keys> {
  const hasRules = granted.readFilter !== '' || granted.writeFilter !== ''
  await labelsAhead(granted, ({ name, settings }) => hasRules || sent.has(name) || settings.defaultValue !== '')
  const keys = new Map<string, string>()
  for (const [name, text] of sent) {
    if (typeof text !== 'string' || text.length < LONG) continue
    const type = granted.attributes.get(name)?.type
    // A longer text is refused anyway.
    if (!type || text.length > type.maxUnits) continue
    await foldAhead(keys, type, text)
  }
  return keys
}

/** Adds the key of a value to `keys`, if it is a long text. */
export async function foldAhead(keys: Map<string, string>, type: FieldType, stored: Stored): Promise<void> {
  if (typeof stored !== 'string' || stored.length < LONG || type.key !== foldedText.key || keys.has(stored)) return
  keys.set(stored, await inTurns(folding(stored)))
  await othersTurn()
}

/** Folds the labels of the lists of a table, or of some, where that has not been done yet: a rule of a group may ask any of them. */
export async function labelsAhead({ table }: View, wanted: (attribute: Attribute) => boolean = () => true): Promise<void> {
  for (const attribute of listsOf(table.attributes)) if (wanted(attribute)) await inTurns(foldingOptions(attribute.settings))
}

const listsOf = memo((attributes: View['attributes']) => [...attributes.values()].filter(({ settings }) => settings.options))

/** The key of a value; undefined where the type has none. */
export const keyOf = ({ keyColumn, type, settings }: Attribute, stored: Stored, keys: Keys): string | undefined =>
  keyColumn === undefined ? undefined : (keys.get(stored as string) ?? type.key?.(stored, settings))
