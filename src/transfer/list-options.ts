import { Failure, Failures } from '../errors.ts'
import type { FieldType } from '../fields/field-type.ts'
import { textFor } from '../fields/index.ts'
import { fold } from '../fields/fold.ts'
import { memo } from '../memory/memo.ts'
import type { Administrator } from '../store/catalogue/administrator.ts'
import type { Field } from '../store/model/catalogue.ts'
import { labelFault } from '../store/structure/field-options.ts'
import { updateField } from '../store/structure/fields.ts'
import type { Uses } from '../store/ground/store.ts'
import type { Column, Plan } from './plan.ts'

/*
 * A list field that is made from a column has the values of the column as its options. It starts with the values of the first lines;
 * later values are added when they come. If there are too many, the field becomes text.
 */

/** Adds options to a field. When the promise resolves, lines are read with them. */
export type Grow = (attribute: string, labels: readonly string[]) => Promise<void>

/** The different values of a column as options; undefined where they are not valid as options. `valuesAsOptions` is the same for a field. */
export function optionsIn(type: FieldType, samples: readonly string[]): string[] | undefined {
  const labels = new Map<string, string>()
  for (const label of samples.flatMap((value) => labelsIn(type, value))) {
    if (labelFault(label) !== undefined) return undefined
    if (!labels.has(fold(label))) labels.set(fold(label), label)
  }
  return labels.size > 0 ? [...labels.values()].sort() : undefined
}

/** Called with lines before they are read; afterwards their fields have the options that they need. */
export async function growLists(
  store: Uses<'context' | 'catalogue'>,
  { tableId, columns }: Plan,
  values: (column: Column) => readonly string[],
  grow: Grow,
): Promise<void> {
  for (const column of columns) {
    if (column.listType === undefined) continue
    const field = store.catalogue().tables.get(tableId)?.attributes.get(column.attribute)
    if (!field?.type.settings.includes('options')) continue
    const known = knownLabels(field as Field)
    const labels = new Map<string, string>()
    for (const value of values(column)) {
      if (known.has(value)) continue
      for (const label of labelsIn(field.type, value)) {
        if (known.has(label) || labelFault(label) !== undefined) continue
        const folded = fold(label)
        if (!known.has(folded) && !labels.has(folded)) labels.set(folded, label)
      }
    }
    if (labels.size > 0) await grow(column.attribute, [...labels.values()])
  }
}

/** Adds options to lists in this thread. `finish` sorts them, and returns which fields are not lists and why. */
export function listGrower(
  store: Uses<'db' | 'environment' | 'settings' | 'context' | 'catalogue' | 'restructure'>,
  by: Administrator,
  { tableId, columns }: Plan,
): { grow: Grow; finish(): Promise<string[]> } {
  const grown = new Set<string>()
  const refused = new Map<string, string>()
  const fieldOf = (attribute: string) => store.catalogue().tables.get(tableId)?.attributes.get(attribute) as Field | undefined

  async function refusing(attribute: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (!(error instanceof Failure || error instanceof Failures)) throw error
      refused.set(attribute, error.message)
      return false
    }
  }

  return {
    async grow(attribute, labels) {
      const field = fieldOf(attribute)
      if (refused.has(attribute) || !field?.type.settings.includes('options')) return
      const { id, type } = field
      grown.add(attribute)
      const fits = await refusing(attribute, () => updateField(store, by, id, { addedOptions: labels }))
      if (!fits) await updateField(store, by, id, { typeName: textFor(type).name })
    },
    async finish() {
      for (const { attribute, listType } of columns) {
        const field = fieldOf(attribute)
        if (listType === undefined || !field || refused.has(attribute)) continue
        if (field.type.name !== listType) await refusing(attribute, () => updateField(store, by, field.id, { typeName: listType }))
        else if (grown.has(attribute)) await updateField(store, by, field.id, { sortsOptions: true })
      }
      return columns.flatMap(({ header, attribute }) => (refused.has(attribute) ? [`${header} stays text: ${refused.get(attribute)}`] : []))
    },
  }
}

/** A choice has one label, a set one on each line. */
const labelsIn = ({ kind }: FieldType, value: string): string[] =>
  value === '' ? [] : kind === 'choice' ? [value] : value.split(/\r?\n/).filter((label) => label !== '')

/** The labels of a list's options, exact and folded, and the empty text. */
const knownLabels = memo((field: Field): ReadonlySet<string> => {
  const present = (field.settings.options ?? []).filter(({ removed }) => !removed)
  return new Set(['', ...present.flatMap(({ label }) => [label, fold(label)])])
})
