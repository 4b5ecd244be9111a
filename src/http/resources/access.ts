import { rightNames } from '../../store/model/rights.ts'
import { accessRules, type AccessRule } from '../../store/people/access-rows.ts'
import { createRule, deleteRule, updateRule } from '../../store/structure/access-rules.ts'
import { boolean, fieldRights, integer, string } from './forms.ts'
import { administrators, defineResource, type Member } from './resource.ts'
import { wireRights } from './table.ts'

const rights = Object.fromEntries(rightNames.map((of): [string, Member] => [wireRights[of], { of, form: boolean }]))

export const access = defineResource<AccessRule>({
  type: 'access',
  token: 'unlimited',
  plural: 'the rules of access',
  relation: accessRules,
  members: {
    group_id: { of: 'groupId', form: integer, required: true, set: 'once' },
    table_id: { of: 'tableId', form: integer, required: true, set: 'once' },
    ...rights,
    read_filter: { of: 'readFilter', form: string },
    write_filter: { of: 'writeFilter', form: string },
    fields: { of: 'fields', form: fieldRights },
  },
  create: administrators('give rights', createRule),
  update: administrators('change rights', updateRule),
  remove: administrators('take rights away', deleteRule),
})
