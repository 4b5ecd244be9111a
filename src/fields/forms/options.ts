import { fail } from '../../errors.ts'
import type { FieldSettings, Option } from '../field-type.ts'
import { fold } from '../fold.ts'
import { atOnce, type Steps } from '../steps.ts'
import { quoted } from './quoted.ts'
import { memo } from '../../memory/memo.ts'

interface Labels {
  readonly byId: ReadonlyMap<number, string>
  /** Ids by label; what is not removed first. */
  readonly present: ReadonlyMap<string, number>
  readonly all: ReadonlyMap<string, number>
}

/** The label people see, also of a removed option; '' for 0. */
export const labelOf = (settings: FieldSettings, id: number): string => labelsOf(settings).byId.get(id) ?? ''

/** The same, folded. */
export const foldedLabelOf = (settings: FieldSettings, id: number): string => foldedLabelsOf(settings).byId.get(id) ?? ''

/**
 * The id of the option with this label: spelled just so, or else but for case.
 * @throws where there is none; a removed one counts only with `removedToo`.
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

/** The options with their labels folded; the same object for the same options. */
export const foldedOptions = (settings: Pick<FieldSettings, 'options'>): readonly Folded[] => atOnce(foldingOptions(settings))

/** The same a step at a time; who asks meanwhile goes on where others are. */
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

/** Code units of labels that are folded in one step; a label takes as long as so many. */
const [STEP, LABEL] = [32_768, 25]

/** The ids of the options with these folded labels, 0 for the empty one. */
export function idsOfLabels(settings: FieldSettings, labels: readonly string[]): readonly number[] {
  const options = foldedOptions(settings)
  const ids = idsByFolded(options)
  const found = [...new Set(labels)].flatMap((label) => (label === '' ? 0 : (ids.get(label) ?? []).map(({ id }) => id)))
  return found.sort((one, other) => one - other)
}

type Folded = Pick<Option, 'id' | 'label'>
const idsByFolded = memo((options: readonly Folded[]): ReadonlyMap<string, readonly Folded[]> => Map.groupBy(options, ({ label }) => label))

/** As far as they have been folded. */
const foldedSoFar = memo((_: readonly Option[]): Folded[] => [])

// Settings are never changed, only replaced, so what was made of a list of options stays true of it.
const labelsIn = memo((options: readonly Option[]): Labels => labelled(options, ({ label }) => label))

const labelsOf = ({ options = none }: FieldSettings): Labels => labelsIn(options)

const foldedLabelsIn = memo((options: readonly Option[]): Labels => {
  // By option, not by id: those that are new have none yet.
  const folded = new Map(foldedOptions({ options }).map(({ label }, i) => [options[i], label]))
  return labelled(options, (option) => folded.get(option)!)
})

/** Costs what it takes to fold all labels, where nobody has folded them yet (`foldingOptions`). */
const foldedLabelsOf = ({ options = none }: FieldSettings): Labels => foldedLabelsIn(options)

function labelled(options: readonly Option[], form: (option: Option) => string): Labels {
  const present = options.filter((option) => !option.removed)
  const all = [...present, ...options.filter((option) => option.removed)]
  return { byId: new Map(options.map((option) => [option.id, form(option)])), present: ids(present, form), all: ids(all, form) }
}

const none: readonly Option[] = []

/** Of options with the same label the first counts. */
function ids(options: readonly Option[], form: (option: Option) => string): Map<string, number> {
  return new Map(options.map((option): [string, number] => [form(option), option.id]).toReversed())
}
