import { Failure, Failures, fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { Option } from '../../fields/field-type.ts'
import { fold } from '../../fields/fold.ts'
import { foldingOptions } from '../../fields/forms/options.ts'
import { quoted } from '../../fields/forms/quoted.ts'
import { builtIn } from '../../fields/index.ts'
import { plain } from '../../fields/field-type.ts'
import { parseValue } from '../../fields/value.ts'
import { sql } from '../../sql/sql.ts'
import type { Field } from '../model/catalogue.ts'
import { inTurns, othersTurn } from '../scheduling/others-turn.ts'
import { chunksOf } from './columns.ts'
import type { Transaction } from '../ground/db.ts'
import { changing } from '../ground/resource-rows.ts'
import type { Actor } from '../model/access.ts'
import { fieldRows, optionsOf } from './field-rows.ts'
import type { Uses } from '../ground/store.ts'

/** An option that a request asks for: a label; with the id of an existing option, which then gets this label. */
export interface RequestedOption {
  readonly id?: number | undefined
  readonly label: string
}

export const MOST_OPTIONS = limits.listMembers.most

/**
 * Makes these the options of the field, in this order. An option whose label existed keeps its id. Existing options that are not
 * among them cannot be chosen any more; records that have them still show them.
 */
export const writeOptions = (tx: Transaction, by: Actor, fieldId: number, requested: readonly RequestedOption[]): Promise<Option[]> =>
  changing(tx, by, fieldRows, sql`id = ${fieldId}`, () => write(tx, fieldId, requested))

/** Those of a field that has another type now, removed ones too. */
export const deleteOptions = (tx: Transaction, by: Actor, fieldId: number): Promise<number> =>
  changing(tx, by, fieldRows, sql`id = ${fieldId}`, () => tx.run(sql`DELETE FROM options WHERE field_id = ${fieldId}`))

async function write(tx: Transaction, fieldId: number, requested: readonly RequestedOption[]): Promise<Option[]> {
  const there = await optionsOf((query) => tx.all(query), fieldId)
  mustBeSound(requested, there)
  const taken = new Set(requested.flatMap((option) => option.id ?? []))
  const exact = claimed(requested, there, (label) => label)
  const placed = claimed(exact, await inTurns(foldingOptions({ options: there })), fold)
  await tx.run(sql`UPDATE options SET removed = 1 WHERE field_id = ${fieldId}`)
  for (const [sequence, { id, label }] of placed.entries()) {
    if (id !== undefined) await tx.run(sql`UPDATE options SET label = ${label}, sequence = ${sequence}, removed = 0 WHERE id = ${id}`)
    else await tx.run(sql`INSERT INTO options (field_id, label, sequence, removed) VALUES (${fieldId}, ${label}, ${sequence}, 0)`)
  }
  await mustNotPileUp(tx, fieldId)
  await othersTurn()
  const options = await optionsOf((query) => tx.all(query), fieldId)
  // For the check of the settings.
  await inTurns(foldingOptions({ options }))
  return options

  /** Gives each requested option without an id the id of the first free one of `options` with the same label in this `form`. */
  function claimed(
    some: readonly RequestedOption[],
    options: readonly Pick<Option, 'id' | 'label'>[],
    form: (label: string) => string,
  ): RequestedOption[] {
    const free = Map.groupBy(
      options.filter(({ id }) => !taken.has(id)),
      ({ label }) => label,
    )
    return some.map((option) => {
      const id = option.id ?? free.get(form(option.label))?.shift()?.id
      if (id !== undefined) taken.add(id)
      return { id, label: option.label }
    })
  }
}

/** Removed options count too, since they are kept for records that show them. @throws `quota.reached` */
async function mustNotPileUp(tx: Transaction, fieldId: number): Promise<void> {
  const [row] = await tx.all(sql`SELECT count(*), coalesce(sum(CASE WHEN field_id = ${fieldId} THEN 1 ELSE 0 END), 0) FROM options`)
  const [all, ofField] = row!.map(Number) as [number, number]
  for (const [count, { most, of }] of [
    [ofField, limits.optionsPerField],
    [all, limits.options],
  ] as const)
    if (count > most) throw fail('quota.reached', { most, of })
}

/**
 * The different values of a field, as the options of the list that it becomes; for columns of an import `optionsIn` does the same
 * (transfer/list-options.ts), where a value that cannot be an option is no failure: the field becomes text.
 * @throws `field.invalid_value` where there are too many, or one of them cannot be a label
 */
export async function valuesAsOptions(store: Uses<'db'>, tx: Transaction, field: Field): Promise<RequestedOption[]> {
  const labels = new Map<string, string>()
  for await (const { rows } of chunksOf(tx, store.db.dialect, field.tableId, field)) {
    for (const { stored } of rows) {
      for (const label of field.type.format(stored, field.settings).split(/\r?\n/)) {
        if (label === '') continue
        const why = labelFault(label)
        if (why !== undefined) throw unfit(`The field holds ${quoted(label)}, which cannot be an option. ${why}`)
        if (!labels.has(fold(label))) labels.set(fold(label), label)
      }
    }
    if (labels.size > MOST_OPTIONS) throw unfit(`The field holds more than ${MOST_OPTIONS} different values, which is too many.`)
  }
  return [...labels.values()].sort().map((label) => ({ label }))
}

const unfit = (why: string): Failure =>
  fail('field.invalid_value', { why: `${why} Send the options that the field should have.` }, { attribute: 'options' })

function mustBeSound(requested: readonly RequestedOption[], there: readonly Option[]): void {
  const failures: Failure[] = []
  const refuse = (i: number, why: string) => failures.push(fail('field.invalid_value', { why }, { attribute: 'options', path: [i] }))
  const labels = new Set<string>()
  const ids = new Set<number>()
  const known = new Set(there.map(({ id }) => id))
  const kept = new Set(there.map(({ label }) => label))
  if (requested.length > MOST_OPTIONS)
    throw fail('field.invalid_value', { why: `A field has at most ${MOST_OPTIONS} options.` }, { attribute: 'options' })
  for (const [i, { id, label }] of requested.entries()) {
    // An existing label is not checked again: an earlier version may have accepted it.
    const why = kept.has(label) ? undefined : labelFault(label)
    const folded = why === undefined ? fold(label) : undefined
    if (why !== undefined) refuse(i, why)
    else if (labels.has(folded!)) refuse(i, `There are two options ${quoted(label)}.`)
    if (id !== undefined && (ids.has(id) || !known.has(id))) refuse(i, `The field has no option ${id}, or it is named twice.`)
    if (folded !== undefined) labels.add(folded)
    if (id !== undefined) ids.add(id)
  }
  if (failures.length > 0) throw new Failures(failures)
}

/** Why this cannot be a label, as a sentence; undefined if it can. */
export function labelFault(label: string): string | undefined {
  if (label === '') return 'The label of an option is not empty.'
  try {
    parseValue(builtIn.text, label, plain, { timeZone: 'UTC' })
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}
