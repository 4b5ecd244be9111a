import { type Failure, Failures, fail } from '../../errors.ts'
import type { FieldType, Option } from '../../fields/field-type.ts'
import { fold } from '../../fields/fold.ts'
import { foldingOptions } from '../../fields/forms/options.ts'
import type { Transaction } from '../ground/db.ts'
import type { Uses } from '../ground/store.ts'
import type { Actor } from '../model/access.ts'
import type { Field } from '../model/catalogue.ts'
import { inTurns } from '../scheduling/others-turn.ts'
import { labelFault, MOST_OPTIONS, valuesAsOptions, writeOptions, type RequestedOption } from './field-options.ts'
import { optionsOf } from './field-rows.ts'

/** The options after a change: those requested, else the existing ones, else, for a field that becomes a list, its values; and those added, or in order. */
export async function newOptions(
  store: Uses<'db'>,
  tx: Transaction,
  by: Actor,
  before: Field,
  type: FieldType,
  {
    requested,
    added,
    sorts,
  }: { readonly requested: readonly RequestedOption[] | undefined; readonly added: readonly string[]; readonly sorts: boolean },
): Promise<readonly Option[]> {
  const [becomes, was] = [type, before.type].map(({ settings }) => settings.includes('options')) as [boolean, boolean]
  if (added.length > 0) {
    if (!becomes) throw fail('field.invalid_value', { why: `A field of type ${type.name} has no options.` }, { attribute: 'addedOptions' })
    const base = requested ?? (was ? await presentOptions(tx, before.id) : await valuesAsOptions(store, tx, before))
    return writeOptions(tx, by, before.id, await addedTo(base, added))
  }
  if (requested) return writeOptions(tx, by, before.id, requested)
  if (!becomes) return []
  if (sorts && was) {
    const present = await presentOptions(tx, before.id)
    return writeOptions(
      tx,
      by,
      before.id,
      present.toSorted((a, b) => (a.label < b.label ? -1 : 1)),
    )
  }
  if (was) return before.settings.options ?? []
  return writeOptions(tx, by, before.id, await valuesAsOptions(store, tx, before))
}

/** The options that can be chosen, as this transaction sees them. */
const presentOptions = async (tx: Transaction, fieldId: number): Promise<readonly Option[]> =>
  (await optionsOf((query) => tx.all(query), fieldId)).filter(({ removed }) => !removed)

/** The options with these labels behind them; a label that folds to that of one before it is left out. @throws for labels that cannot be added */
async function addedTo(options: readonly RequestedOption[], labels: readonly string[]): Promise<RequestedOption[]> {
  const folded = new Set<string>()
  const news: RequestedOption[] = []
  const failures: Failure[] = []
  const refuse = (why: string, ...path: number[]) =>
    failures.push(fail('field.invalid_value', { why }, { attribute: 'addedOptions', ...(path.length > 0 && { path }) }))
  for (const { label } of await inTurns(foldingOptions({ options: options.map(({ label }, id) => ({ id, label, removed: false })) })))
    folded.add(label)
  for (const [i, label] of labels.entries()) {
    const why = labelFault(label)
    if (why !== undefined) refuse(why, i)
    else if (!folded.has(fold(label))) news.push({ label })
    if (why === undefined) folded.add(fold(label))
  }
  if (options.length + news.length > MOST_OPTIONS) refuse(`A field has at most ${MOST_OPTIONS} options.`)
  if (failures.length > 0) throw new Failures(failures)
  return [...options, ...news]
}
