import type { Schema } from '../../fields/field-type.ts'
import { rightNames, type Right } from '../../store/model/rights.ts'
import { accessRules, type AccessRule } from '../../store/people/access-rows.ts'
import { createRule, deleteRule, updateRule } from '../../store/structure/access-rules.ts'
import type { Explanation } from '../../store/structure/explain-access.ts'
import { boolean, fieldRights, integer, string } from './forms.ts'
import { administrators, defineResource, type Member } from './resource.ts'
import { wireRights } from './table.ts'

/** The rights that the service heeds; the others are for programs around it. */
const rightsSay: Readonly<Partial<Record<Right, string>>> = {
  create: 'May create records.',
  read: 'May read and list records.',
  update: 'May change records.',
  delete: 'May delete records.',
  archive: 'May set `status`.',
  bulk: 'May change or delete more than one record with one request, or by a filter.',
  print: 'May export records.',
}
const rights = Object.fromEntries(
  rightNames.map((of): [string, Member] => [
    wireRights[of],
    { of, form: boolean, says: rightsSay[of] ?? 'Stored and shown, for other programs.' },
  ]),
)

export const access = defineResource<AccessRule>({
  type: 'access',
  token: 'unlimited',
  plural: 'the rules of access',
  relation: accessRules,
  members: {
    group_id: { of: 'groupId', form: integer, required: true, set: 'once', says: 'The group; not 1, administrators.' },
    table_id: { of: 'tableId', form: integer, required: true, set: 'once', says: 'The table.' },
    ...rights,
    read_filter: {
      of: 'readFilter',
      form: string,
      says: 'A [filter](../filters.md): the group sees only records that match. Empty: all. `current_user` is the id of the caller.',
    },
    write_filter: {
      of: 'writeFilter',
      form: string,
      says: 'A filter: only records that match, before and after, may be created, changed or deleted. Empty: all.',
    },
    fields: {
      of: 'fields',
      form: fieldRights,
      says: 'Rights on single attributes. Either which are hidden or read-only: `{"f6": "hidden", "f2": "read_only"}`; or which exist at all, so that the group does not see fields that are made later: `{"allow": {"f1": "writable", "f2": "read_only"}}`. `user_id`, `add_time`, `status` and `update_time` may be named like fields; an allow-list hides them too, unless it names them. Where `add_time` is hidden, so is `update_time`, unless it is named. A field may be named by its id alone.',
    },
    assignable: {
      of: 'assignable',
      form: boolean,
      says: 'Whether the group sees `id` and `fio` of all users who are not archived, to name them in `user` fields. Their other attributes are empty for the group.',
    },
  },
  create: administrators('give rights', createRule, ['access.exists']),
  update: administrators('change rights', updateRule),
  remove: administrators('take rights away', deleteRule),
})

const text: Schema = { type: 'string' }
const whole: Schema = { type: 'integer' }
const truth: Schema = { type: 'boolean' }

/** The members of `explained`. */
export const explanation: Readonly<Record<string, Schema>> = {
  user_id: whole,
  group_id: whole,
  archived: truth,
  table_id: whole,
  access_id: { type: ['string', 'null'] },
  rights: { type: 'object', additionalProperties: truth },
  read_filter: text,
  write_filter: text,
  assignable: truth,
  attributes: { type: 'object', additionalProperties: { enum: ['hidden', 'read_only', 'writable'] } },
  record: {
    type: 'object',
    properties: {
      id: text,
      exists: truth,
      missing: { enum: [null, 'no_right', 'read_filter', 'in_trash', 'not_found'] },
      writable: truth,
    },
    required: ['id', 'exists', 'missing', 'writable'],
  },
}

/** What a user may do with a table, as `meta`. */
export function explained(
  { userId, tableId, recordId }: { readonly userId: number; readonly tableId: number; readonly recordId: number | undefined },
  { rule, rights: held, attributes, record, ...one }: Explanation,
): Readonly<Record<string, unknown>> {
  return {
    user_id: userId,
    group_id: one.groupId,
    archived: one.archived,
    table_id: tableId,
    access_id: rule === undefined ? null : String(rule),
    rights: Object.fromEntries(rightNames.map((right) => [wireRights[right], held.has(right)])),
    read_filter: one.readFilter,
    write_filter: one.writeFilter,
    assignable: one.assignable,
    attributes: Object.fromEntries(attributes),
    ...(record && {
      record: { id: String(recordId), exists: record.missing === undefined, missing: record.missing ?? null, writable: record.writable },
    }),
  }
}
