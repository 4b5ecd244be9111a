import { createGroup, deleteGroup, groups, updateGroup, type Group } from '../../store/people/groups.ts'
import { effectsOfGroup } from '../../store/structure/deletion-effects.ts'
import { string } from './forms.ts'
import { administrators, defineResource } from './resource.ts'

export const group = defineResource<Group>({
  type: 'group',
  token: 'unlimited',
  plural: 'the groups of users',
  relation: groups,
  members: { group_name: { of: 'title', form: string, required: true, says: 'Its name.' } },
  create: administrators('create groups', createGroup),
  update: administrators('change groups', updateGroup),
  remove: administrators('delete groups', deleteGroup, ['group.built_in', 'group.in_use']),
  foretell: effectsOfGroup,
})
