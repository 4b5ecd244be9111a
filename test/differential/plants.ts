/*
 * Faults that are put into the product's own source as a process loads it, to see that the differential finds them. Nothing of this is
 * in the product: plant.ts replaces one piece of text in one file for the process that is told to.
 */

export interface Plant {
  readonly says: string
  readonly file: string
  /** A piece of the source that is there exactly once. */
  readonly find: string
  readonly replace: string
}

export const plants: Readonly<Record<string, Plant>> = {
  'right-not-asked': {
    says: 'a table without any right answers 403 instead of 404',
    file: 'src/store/access.ts',
    find: 'if (!table || held.size === 0) throw',
    replace: 'if (!table) throw',
  },
  'list-filter-dropped': {
    says: 'a list leaves out the read filter of the group',
    file: 'src/store/list-records.ts',
    find: 'const shown = [visible(store, granted)]',
    replace: 'const shown = [undefined as ReturnType<typeof visible>]',
  },
  'record-filter-dropped': {
    says: 'a single record is shown without asking the read filter',
    file: 'src/store/read-records.ts',
    find: '  const filter = visible(store, granted)',
    replace: '  const filter = undefined as ReturnType<typeof visible>',
  },
  'write-filter-dropped': {
    says: 'a change or deletion meets a record that the read filter hides',
    file: 'src/store/present.ts',
    find: 'WHERE id = ${id}${and(visible(store, granted))}${store',
    replace: 'WHERE id = ${id}${store',
  },
  'hidden-in-sort': {
    says: 'a hidden field is taken in sort',
    file: 'src/http/handlers/list-records.ts',
    find: 'parseSort(query.sort, granted.attributes)',
    replace: 'parseSort(query.sort, granted.table.attributes)',
  },
  'hidden-in-filter': {
    says: 'a hidden field is taken in a filter',
    file: 'src/store/read-records.ts',
    find: 'return check(filter, { attributes, context',
    replace: 'return check(filter, { attributes: table.attributes, context',
  },
  'hidden-in-totals': {
    says: 'totals count hidden records',
    file: 'src/store/list-statements.ts',
    find: ': sql`SELECT count(*) FROM ${source(list)}${whereOf(list)}`',
    replace: ': sql`SELECT count(*) FROM ${source(list)}${whereOf({ ...list, where: list.where.slice(list.shown.length) })}`',
  },
  'hidden-field-listed': {
    says: 'the list of fields shows hidden ones',
    file: 'src/store/fields.ts',
    find: 'return hidden.length === 0 ? tables : sql',
    replace: 'return hidden.length >= 0 ? tables : sql',
  },
  'hidden-field-shown': {
    says: 'a record shows its hidden fields',
    file: 'src/store/access.ts',
    find: '.filter(([name]) => !hidden.has(name))',
    replace: '.filter(([name]) => !hidden.has(name) || true)',
  },
  'hidden-reference': {
    says: 'a reference to a record that the caller may not read is taken',
    file: 'src/store/references.ts',
    find: "WHERE 1 = 1${and(visible(store, grant('read', tableId, caller, catalogue)))}",
    replace: 'WHERE 1 = 1',
  },
  'saved-filter-names-hidden': {
    says: 'a shared filter that names a hidden field is listed and used',
    file: 'src/store/hidden-names.ts',
    find: 'if (hidden.length === 0) return undefined',
    replace: 'if (hidden.length >= 0) return undefined',
  },
  'saved-filter-of-others': {
    says: 'the personal filter of somebody else is used',
    file: 'src/store/saved-filters.ts',
    find: 'return sql`user_id IN (0, ${caller.userId})${',
    replace: 'return sql`user_id >= 0${',
  },
  'hidden-taken-by-name': {
    says: 'the refusal of a unique value names the record that the caller may not read',
    file: 'src/store/record-values.ts',
    find: '...(hidden.length === 0 && {',
    replace: '...(hidden.length >= 0 && {',
  },
  'files-of-hidden': {
    says: 'files of a hidden record are shown',
    file: 'src/store/files.ts',
    find: '  await getRecord(store, granted, recordId)\n',
    replace: '',
  },
}
