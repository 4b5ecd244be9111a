import { Failure } from '../../errors.ts'
import { fold } from '../../fields/fold.ts'
import { foldingOptions, idsOfLabels, labelOf } from '../../fields/forms/options.ts'
import { withNewLabels, type NewLabels } from '../../filter/rename-options.ts'
import { limits } from '../../limits.ts'
import { name, sql } from '../../sql/sql.ts'
import type { Administrator } from '../catalogue/administrator.ts'
import type { Transaction } from '../ground/db.ts'
import { updateRow } from '../ground/resource-rows.ts'
import type { Uses } from '../ground/store.ts'
import type { Access, Field } from '../model/catalogue.ts'
import { accessRules } from '../people/access-rows.ts'
import { audit } from '../people/audit.ts'
import { savedFilters } from '../people/saved-filters.ts'
import { savedViews } from '../people/saved-views.ts'
import { webhooks } from '../people/webhook-rows.ts'
import { inTurns, othersTurn } from '../scheduling/others-turn.ts'

/*
 * Filters that are stored name options by their labels, as people write them. When options get other labels, the filters get them too, in the
 * same transaction: they select the same records as before.
 */

/** The text of a stored filter with the new labels. */
export type Rewording = (text: string) => string

/** Undefined: no option has another label. */
export async function rewordingFor(before: Field, after: Field): Promise<Rewording | undefined> {
  if (!after.settings.options || !hasOtherLabels(before, after)) return undefined
  await inTurns(foldingOptions(before.settings))
  const ofOne = (label: string): string[] => {
    const ids = idsOfLabels(before.settings, [fold(label)])
    const labels = ids.map((id) => labelOf(after.settings, id)).filter((one) => one !== '')
    return labels.some((one) => fold(one) !== fold(label)) ? [...new Map(labels.map((one) => [fold(one), one])).values()] : [label]
  }
  const newLabels: NewLabels = (value) => {
    const labels =
      before.type.kind === 'set'
        ? [
            value
              .split(/\r?\n/)
              .map((line) => ofOne(line)[0])
              .join('\r\n'),
          ]
        : ofOne(value)
    return labels.length === 1 && labels[0] === value ? undefined : labels
  }
  return (text) => {
    try {
      return text === '' ? text : withNewLabels(text, before.name, newLabels, limits.postedFilter.most)
    } catch (error) {
      // Earlier versions accepted filters that cannot be parsed. Nothing can use them.
      if (error instanceof Failure) return text
      throw error
    }
  }
}

/** Whether an existing option has another label now. */
export function hasOtherLabels(before: Field, after: Field): boolean {
  const labels = new Map(after.settings.options?.map(({ id, label }) => [id, label]))
  return before.settings.options?.some(({ id, label }) => labels.get(id) !== label) === true
}

/** Rewords the saved filters and views that name the field, the filters of groups on its table, and those of webhooks. */
export async function rewordFilters(
  store: Uses<'db' | 'environment' | 'settings' | 'catalogue'>,
  tx: Transaction,
  by: Administrator,
  field: Field,
  reword: Rewording,
): Promise<void> {
  const { dialect } = store.db
  const naming = (notes: string, id: string) => sql`id IN (SELECT ${name(id)} FROM ${name(notes)} WHERE field_id = ${field.id})`
  const texts = async (table: string, column: string, which: ReturnType<typeof sql>, set: (id: number, text: string) => Promise<void>) => {
    for (const [id] of await tx.all(sql`SELECT id FROM ${name(table)} WHERE ${which} ORDER BY id`)) {
      const [row] = await tx.all(sql`SELECT ${name(column)} FROM ${name(table)} WHERE id = ${Number(id)}${dialect.forUpdate}`)
      if (!row) continue
      const text = table === 'saved_views' ? String(JSON.parse(String(row[0]))) : String(row[0])
      const reworded = reword(text)
      if (reworded !== text) await set(Number(id), reworded)
      await othersTurn()
    }
  }
  await texts('saved_filters', 'expression', naming('saved_filter_fields', 'filter_id'), (id, expression) =>
    updateRow(tx, by, savedFilters, id, { expression }),
  )
  await texts('saved_views', 'filter', naming('saved_view_fields', 'view_id'), (id, filter) =>
    updateRow(tx, by, savedViews, id, { filter }),
  )
  await texts('webhooks', 'filter', sql`filter <> ''`, (id, filter) => updateRow(tx, by, webhooks, id, { filter }))
  for (const ofGroup of store.catalogue().access.values()) {
    const rule = ofGroup.get(field.tableId)
    if (rule) await rewordRule(store, tx, by, field, rule, reword)
  }
}

async function rewordRule(
  store: Uses<'db' | 'environment' | 'settings' | 'catalogue'>,
  tx: Transaction,
  by: Administrator,
  field: Field,
  rule: Access,
  reword: Rewording,
): Promise<void> {
  const [readFilter, writeFilter] = [reword(rule.readFilter), reword(rule.writeFilter)]
  if (readFilter === rule.readFilter && writeFilter === rule.writeFilter) return
  await updateRow(tx, by, accessRules, rule.id, { readFilter, writeFilter })
  await tx.run(sql`UPDATE access SET version = version + 1 WHERE id = ${rule.id}`)
  await audit(store, tx, by, 'access_changed', `group ${rule.groupId}, table ${rule.tableId}`, `renamed options of field ${field.id}`)
}
