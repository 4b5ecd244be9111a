import { sweepErased } from '../../store/changes/sweep-erased.ts'
import { committed, allRows } from '../../store/ground/relation.ts'
import { sweepFiles } from '../../store/records/files.ts'
import { trashItems } from '../../store/structure/trash-entries.ts'
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
    const rows = await allRows(committed(context.store), trashItems)
    await show(
      context,
      rows.map((row) => ({ id: row.id, kind: row.kind, table: row.tableId, item: row.itemId, title: row.title, deleted: row.deleted })),
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
    await erase(context.store, context.by, idOf(context, 'id'))
    await sweepErased(context.store)
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
