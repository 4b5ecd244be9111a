import { accessRules, createRule, deleteRule, updateRule, type AccessRule } from '../../store/access-rules.ts'
import { administrator } from '../../store/administrator.ts'
import { boolean, fieldRights, integer, string } from './forms.ts'
import { defineResource, type Member } from './resource.ts'
import { rightNames } from './table.ts'

const rights = Object.fromEntries(Object.entries(rightNames).map(([of, name]): [string, Member] => [name, { of, form: boolean }]))

export const access = defineResource<AccessRule>({
  type: 'access',
  plural: 'the rights of groups on tables',
  relation: accessRules,
  members: {
    group_id: { of: 'groupId', form: integer, required: true, set: 'once' },
    table_id: { of: 'tableId', form: integer, required: true, set: 'once' },
    ...rights,
    read_filter: { of: 'readFilter', form: string },
    write_filter: { of: 'writeFilter', form: string },
    fields: { of: 'fields', form: fieldRights },
  },
  create: (store, caller, values) => createRule(store, administrator(caller, 'give rights'), values),
  update: (store, caller, id, changes) => updateRule(store, administrator(caller, 'change rights'), id, changes),
  remove: (store, caller, id) => deleteRule(store, administrator(caller, 'take rights away'), id),
})
