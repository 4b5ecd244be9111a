import { allRows, committed } from '../../store/ground/relation.ts'
import { createGroup, deleteGroup, groups, updateGroup } from '../../store/people/groups.ts'
import { users } from '../../store/people/users.ts'
import { command, jsonOption, show } from '../contract/command.ts'
import { effectsOfGroup } from '../../store/structure/deletion-effects.ts'
import { dryRunOption, tellEffects } from '../contract/tell-effects.ts'
import { findGroup } from '../contract/find-group.ts'

const group = { name: 'group', says: 'id or name of the group' }

export const listGroups = command({
  name: 'group list',
  says: 'Lists the groups of users.',
  args: [],
  options: [jsonOption],
  begins: false,
  async run(context) {
    const { store } = context
    const read = committed(store)
    const counts = new Map<number, number>()
    for (const { groupId, archived } of await allRows(read, users)) if (!archived) counts.set(groupId, (counts.get(groupId) ?? 0) + 1)
    const rows = await allRows(read, groups)
    await show(
      context,
      rows.map(({ id, title }) => ({ id, name: title, users: counts.get(id) ?? 0, rules: store.catalogue().access.get(id)?.size ?? 0 })),
    )
    return 0
  },
})

export const createGroupCommand = command({
  name: 'group create',
  says: 'Creates a group and prints its id.',
  args: [{ name: 'name', says: 'name of the group' }],
  options: [],
  begins: false,
  async run(context) {
    await context.output.line(String(await createGroup(context.store, context.by, { title: context.args['name']! })))
    return 0
  },
})

export const renameGroup = command({
  name: 'group rename',
  says: 'Gives a group another name.',
  args: [group, { name: 'name', says: 'its new name' }],
  options: [],
  begins: false,
  async run({ store, by, args }) {
    await updateGroup(store, by, (await findGroup(store, args['group']!)).id, { title: args['name']! })
    return 0
  },
})

export const deleteGroupCommand = command({
  name: 'group delete',
  says: 'Deletes a group without users, with its rules of access.',
  args: [group],
  options: [dryRunOption],
  begins: false,
  async run(context) {
    const { store, by, args, options } = context
    const { id } = await findGroup(store, args['group']!)
    if (options['dryRun'] === true) return tellEffects(context, await effectsOfGroup(store, by, id))
    await deleteGroup(store, by, id)
    return 0
  },
})
