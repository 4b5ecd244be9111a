import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FieldSettings, Option, Schema } from '../field-type.ts'
import { fold } from '../fold.ts'
import { atOnce, type Steps } from '../steps.ts'
import { quoted } from './quoted.ts'
import { memo } from '../../memory/memo.ts'

interface Labels {
  readonly byId: ReadonlyMap<number, string>
  /** Ids of options that are not removed, by label. */
  readonly present: ReadonlyMap<string, number>
  /** Ids of all options, by label. A removed option counts only if no other has its label. */
  readonly all: ReadonlyMap<string, number>
}

/** The label of an option, removed or not; '' for 0. */
export const labelOf = (settings: FieldSettings, id: number): string => labelsOf(settings).byId.get(id) ?? ''

/** The folded label of an option, removed or not; '' for 0. */
export const foldedLabelOf = (settings: FieldSettings, id: number): string => foldedLabelsOf(settings).byId.get(id) ?? ''

/**
 * The id of the option with exactly this label, or with a label that folds to the same. Removed options count only with `removedToo`.
 * @throws `field.invalid_value` if there is none
 */
export function optionId(settings: FieldSettings, label: string, removedToo: boolean): number {
  const exact = labelsOf(settings)[removedToo ? 'all' : 'present'].get(label)
  if (exact !== undefined) return exact
  const { present, all } = foldedLabelsOf(settings)
  const folded = fold(label)
  const id = (removedToo ? all : present).get(folded)
  if (id !== undefined) return id
  const why = all.has(folded) ? `The option ${quoted(label)} has been removed.` : `There is no option ${quoted(label)}.`
  throw fail('field.invalid_value', { why })
}

/** The labels as values of JSON: those that can be chosen, with `removedToo` all that a record may show; and ''. Without options, any label. */
export function labelsSchema({ options }: FieldSettings, removedToo: boolean): Schema {
  if (!options) return { type: 'string', maxLength: limits.optionLabel.most }
  const labels = new Set(['', ...options.flatMap(({ label, removed }) => (removed && !removedToo ? [] : [label]))])
  return { type: 'string', enum: [...labels] }
}

/** The options with folded labels. Returns the same object for the same options. */
export const foldedOptions = (settings: Pick<FieldSettings, 'options'>): readonly Folded[] => atOnce(foldingOptions(settings))

/** The same in steps. Callers share the work: each continues where the last one stopped. */
export function* foldingOptions({ options = none }: Pick<FieldSettings, 'options'>): Steps<readonly Folded[]> {
  const folded = foldedSoFar(options)
  for (let units = 0; folded.length < options.length;) {
    const { id, label } = options[folded.length]!
    folded.push({ id, label: fold(label) })
    if ((units += LABEL + label.length) < STEP) continue
    units = 0
    yield
  }
  return folded
}

/** Work in code units: of one step, and of each label besides its text. */
const [STEP, LABEL] = [32_768, 25]

/** The ids of the options with these folded labels, in ascending order; 0 for the label ''. */
export function idsOfLabels(settings: FieldSettings, labels: readonly string[]): readonly number[] {
  const options = foldedOptions(settings)
  const ids = idsByFolded(options)
  const found = [...new Set(labels)].flatMap((label) => (label === '' ? 0 : (ids.get(label) ?? []).map(({ id }) => id)))
  return found.sort((one, other) => one - other)
}

type Folded = Pick<Option, 'id' | 'label'>
const idsByFolded = memo((options: readonly Folded[]): ReadonlyMap<string, readonly Folded[]> => Map.groupBy(options, ({ label }) => label))

/** The options folded so far. */
const foldedSoFar = memo((_: readonly Option[]): Folded[] => [])

// Settings are replaced, never changed, so a memo by the list of options stays correct.
const labelsIn = memo((options: readonly Option[]): Labels => labelled(options, ({ label }) => label))

const labelsOf = ({ options = none }: FieldSettings): Labels => labelsIn(options)

const foldedLabelsIn = memo((options: readonly Option[]): Labels => {
  // By option, not by id: new options have no id yet.
  const folded = new Map(foldedOptions({ options }).map(({ label }, i) => [options[i], label]))
  return labelled(options, (option) => folded.get(option)!)
})

/** Folds all labels the first time. `foldingOptions` does that in steps. */
const foldedLabelsOf = ({ options = none }: FieldSettings): Labels => foldedLabelsIn(options)

function labelled(options: readonly Option[], form: (option: Option) => string): Labels {
  const present = options.filter((option) => !option.removed)
  const all = [...present, ...options.filter((option) => option.removed)]
  return { byId: new Map(options.map((option) => [option.id, form(option)])), present: ids(present, form), all: ids(all, form) }
}

const none: readonly Option[] = []

/** Ids by label. If options have the same label, the first counts. */
function ids(options: readonly Option[], form: (option: Option) => string): Map<string, number> {
  return new Map(options.map((option): [string, number] => [form(option), option.id]).toReversed())
}
