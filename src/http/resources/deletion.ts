import type { Schema } from '../../fields/field-type.ts'
import { ruleParts, summary, type DeletionEffects } from '../../store/structure/deletion-effects.ts'

const whole: Schema = { type: 'integer' }
const text: Schema = { type: 'string' }

/** What a deletion would do, as `meta` of its dry run. */
export const effectsSchema: Readonly<Record<string, Schema>> = {
  refused: { type: ['string', 'null'] },
  records: whole,
  files: whole,
  bytes: whole,
  references: whole,
  users: whole,
  counts: { type: 'object', additionalProperties: whole },
  listed: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        type: text,
        id: text,
        table_id: text,
        name: text,
        records: whole,
        group_id: text,
        named_in: { type: 'array', items: { type: 'string', enum: [...ruleParts] } },
        options: { type: 'array', items: whole },
      },
      required: ['type', 'id', 'table_id', 'name'],
    },
  },
}

export function showEffects(effects: DeletionEffects): Readonly<Record<string, unknown>> {
  const { refused, records, files, bytes, references, users } = effects
  const { counts, listed } = summary(effects)
  return {
    refused: refused ?? null,
    records,
    files,
    bytes,
    references,
    users,
    counts,
    listed: listed.map((one) => ({
      type: one.type,
      id: String(one.id),
      table_id: String(one.tableId),
      name: one.title,
      ...(one.records !== undefined && { records: one.records }),
      ...(one.groupId !== undefined && { group_id: String(one.groupId) }),
      ...(one.namedIn && { named_in: one.namedIn }),
      ...(one.options && { options: one.options }),
    })),
  }
}
