import { sweepEntry, sweepErased } from '../../store/changes/sweep-erased.ts'
import { committed, allRows } from '../../store/ground/relation.ts'
import { sweepFiles } from '../../store/records/files.ts'
import { trashItems } from '../../store/structure/trash-entries.ts'
import { users } from '../../store/people/users.ts'
import { erase, purgeExpired, restore } from '../../store/structure/trash.ts'
import { command, idOf, jsonOption, show } from '../contract/command.ts'

const entry = { name: 'id', says: 'id as `trash list` shows it' }

export const listTrash = command({
  name: 'trash list',
  says: 'Lists deleted records, fields and tables that can be restored.',
  args: [],
  options: [jsonOption],
  begins: false,
  async run(context) {
    const read = committed(context.store)
    const rows = await allRows(read, trashItems)
    const logins = new Map((await allRows(read, users)).map(({ id, login }) => [id, login]))
    await show(
      context,
      rows.map(({ id, kind, tableId, itemId, title, deleted, userId }) => ({
        id,
        kind,
        table: tableId,
        item: itemId,
        title,
        deleted,
        // The operator at the command line is no user.
        by: userId === 0 ? 'command line' : (logins.get(userId) ?? ''),
      })),
    )
    return 0
  },
})

export const restoreTrash = command({
  name: 'trash restore',
  says: 'Restores a record, field or table.',
  args: [entry],
  options: [],
  begins: false,
  async run(context) {
    await restore(context.store, context.by, idOf(context, 'id'))
    return 0
  },
})

export const eraseTrash = command({
  name: 'trash erase',
  says: 'Erases one entry permanently, with its files.',
  args: [entry],
  options: [],
  begins: false,
  async run(context) {
    await sweepEntry(context.store, await erase(context.store, context.by, idOf(context, 'id')))
    return 0
  },
})

export const purgeTrash = command({
  name: 'trash purge',
  says: 'Erases entries older than KARTOTEKA_TRASH_DAYS, and files that no record holds.',
  args: [],
  options: [],
  begins: false,
  async run(context) {
    const erased = await purgeExpired(context.store, context.by)
    await sweepErased(context.store)
    await context.output.line(`${erased} erased, ${await sweepFiles(context.store)} unused files removed`)
    return 0
  },
})
