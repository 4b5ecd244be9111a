import { allRows, committed, findRow } from '../../store/ground/relation.ts'
import { createFilter, deleteFilter, savedFilters, updateFilter, type NamedFilter } from '../../store/people/saved-filters.ts'
import { command, idOf, jsonOption, show, text, type Context } from '../contract/command.ts'
import { findTable } from '../contract/find-table.ts'
import { findUser } from '../contract/find-user.ts'
import { UsageError } from '../explain/explain.ts'

const id = { name: 'id', says: 'id as `filter list` shows it' }

export const listFilters = command({
  name: 'filter list',
  says: 'Lists the saved filters of all users.',
  args: [],
  options: [{ flags: '--table <table>', says: 'only filters of this table' }, jsonOption],
  begins: false,
  async run(context) {
    const { store } = context
    const named = text(context, 'table')
    const only = named === undefined ? undefined : findTable(store, named).id
    const rows = await allRows(committed(store), savedFilters)
    await show(
      context,
      rows
        .filter(({ tableId }) => store.catalogue().tables.has(tableId) && (only ?? tableId) === tableId)
        .map((row) => ({
          id: row.id,
          table: row.tableId,
          name: row.title,
          user: row.userId === 0 ? 'all' : row.userId,
          expression: row.expression,
        })),
    )
    return 0
  },
})

export const addFilter = command({
  name: 'filter add',
  says: 'Saves a filter and prints its id.',
  args: [
    { name: 'table', says: 'id or name of the table' },
    { name: 'name', says: 'name of the filter' },
    { name: 'expression', says: 'the filter, such as eq(status,0)' },
  ],
  options: [{ flags: '--login <login>', says: 'login of the user to whom it belongs; default: it is shared' }],
  begins: false,
  async run(context) {
    const { store, by, args } = context
    const login = text(context, 'login')
    const userId = login === undefined ? 0 : (await findUser(store, login)).id
    const values = { tableId: findTable(store, args['table']!).id, title: args['name']!, expression: args['expression']!, userId }
    await context.output.line(String(await createFilter(store, by, values)))
    return 0
  },
})

async function filterOf({ store, args }: Context, asked: number): Promise<NamedFilter> {
  const row = await findRow(committed(store), savedFilters, asked)
  if (!row) throw new UsageError(`There is no filter ${args['id']}.`)
  return row
}

export const changeFilter = command({
  name: 'filter set',
  says: 'Changes the name or the expression of a saved filter.',
  args: [id],
  options: [
    { flags: '--name <name>', says: 'its new name' },
    { flags: '--expression <filter>', says: 'its new expression' },
  ],
  begins: false,
  async run(context) {
    const [title, expression] = [text(context, 'name'), text(context, 'expression')]
    if (title === undefined && expression === undefined) throw new UsageError('filter set takes --name, --expression, or both.')
    const { id: filter } = await filterOf(context, idOf(context, 'id'))
    const changes = { ...(title !== undefined && { title }), ...(expression !== undefined && { expression }) }
    await updateFilter(context.store, context.by, filter, changes)
    return 0
  },
})

export const removeFilter = command({
  name: 'filter remove',
  says: 'Deletes a saved filter.',
  args: [id],
  options: [],
  begins: false,
  async run(context) {
    const { id: filter } = await filterOf(context, idOf(context, 'id'))
    await deleteFilter(context.store, context.by, filter)
    return 0
  },
})
