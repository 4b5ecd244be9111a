import { administrator } from '../../store/administrator.ts'
import { createGroup, deleteGroup, groups, updateGroup, type Group } from '../../store/groups.ts'
import { string } from './forms.ts'
import { defineResource } from './resource.ts'

export const group = defineResource<Group>({
  type: 'group',
  plural: 'the groups of users',
  relation: groups,
  members: { group_name: { of: 'title', form: string, required: true } },
  create: (store, caller, values) => createGroup(store, administrator(caller, 'create groups'), values),
  update: (store, caller, id, changes) => updateGroup(store, administrator(caller, 'change groups'), id, changes),
  remove: (store, caller, id) => deleteGroup(store, administrator(caller, 'delete groups'), id),
})
