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
  /** Found by records that leave the read filter and come back (stream-round.ts). */
  readonly crossing?: boolean
}

export const plants: Readonly<Record<string, Plant>> = {
  'right-not-asked': {
    says: 'a table without any right answers 403 instead of 404',
    file: 'src/store/model/access.ts',
    find: 'if (!table || held.size === 0) throw',
    replace: 'if (!table) throw',
  },
  'list-filter-dropped': {
    says: 'a list leaves out the read filter of the group',
    file: 'src/store/lists/sql-list-reader.ts',
    find: 'const rights = [readCondition(parts, granted, (rule) => indexes.wanted(table, rule, [], answered))]',
    replace: 'const rights = [undefined as ReturnType<typeof readCondition>]',
  },
  'record-filter-dropped': {
    says: 'a single record is shown without asking the read filter',
    file: 'src/store/records/read-records.ts',
    find: '  const filter = readCondition(store, granted)',
    replace: '  const filter = undefined as ReturnType<typeof readCondition>',
  },
  'write-filter-dropped': {
    says: 'a change or deletion meets a record that the read filter hides',
    file: 'src/store/records/present.ts',
    find: 'WHERE id = ${id}${and(readCondition(store, granted))}${store',
    replace: 'WHERE id = ${id}${store',
  },
  'hidden-in-sort': {
    says: 'a hidden field is taken in sort',
    file: 'src/http/handlers/list-records.ts',
    find: 'parseSort(query.sort, granted.allAttributes)',
    replace: 'parseSort(query.sort, granted.table.allAttributes)',
  },
  'hidden-in-filter': {
    says: 'a hidden field is taken in a filter',
    file: 'src/store/records/read-records.ts',
    find: 'inTurns(checking(filter, scope), caller.client)',
    replace: 'inTurns(checking(filter, { ...scope, attributes: table.attributes }), caller.client)',
  },
  'hidden-across-reference': {
    says: 'a hidden record matches where a filter goes along a reference',
    file: 'src/store/records/read-records.ts',
    find: "const rule = there.readFilter === '' ?",
    replace: "const rule = there.readFilter !== '' ?",
  },
  'hidden-field-across-reference': {
    says: 'a hidden field of another table is taken in a filter',
    file: 'src/store/catalogue/across.ts',
    find: '  attributes: allAttributes,\n',
    replace: '  attributes: table.allAttributes,\n',
  },
  'hidden-in-totals': {
    says: 'totals count hidden records',
    file: 'src/store/lists/list-statements.ts',
    find: ': sql`SELECT count(*) FROM ${source(list)}${whereOf(list)}`',
    replace: ': sql`SELECT count(*) FROM ${source(list)}${whereOf({ ...list, where: list.where.slice(list.rights.length) })}`',
  },
  'hidden-field-listed': {
    says: 'the list of fields shows hidden ones',
    file: 'src/store/structure/field-rows.ts',
    find: 'return hidden.length === 0 ? tables : sql',
    replace: 'return hidden.length >= 0 ? tables : sql',
  },
  'hidden-field-shown': {
    says: 'a record shows its hidden fields',
    file: 'src/store/model/access.ts',
    find: '.filter(([name]) => !hidden.has(name))',
    replace: '.filter(([name]) => !hidden.has(name) || true)',
  },
  'hidden-reference': {
    says: 'a reference to a record that the caller may not read is taken',
    file: 'src/store/records/references.ts',
    find: "WHERE 1 = 1${and(readCondition(store, grant('read', tableId, caller, catalogue)))}",
    replace: 'WHERE 1 = 1',
  },
  'saved-filter-names-hidden': {
    says: 'a shared filter that names a hidden field is listed and used',
    file: 'src/store/catalogue/hidden-names.ts',
    find: 'if (hasEveryRight(caller) && !caller.tables) return undefined',
    replace: 'if (caller.groupId >= 0) return undefined',
  },
  'saved-filter-of-others': {
    says: 'the personal filter of somebody else is used',
    file: 'src/store/people/saved-filters.ts',
    find: 'return sql`user_id IN (0, ${caller.userId})${',
    replace: 'return sql`user_id >= 0${',
  },
  'hidden-taken-by-name': {
    says: 'the refusal of a unique value names the record that the caller may not read',
    file: 'src/store/records/record-values.ts',
    find: '...(hidden.length === 0 && {',
    replace: '...(hidden.length >= 0 && {',
  },
  'files-of-hidden': {
    says: 'files of a hidden record are shown',
    file: 'src/store/records/files.ts',
    find: '  await getRecord(store, granted, recordId)\n',
    replace: '',
  },
  'trash-shows-hidden': {
    says: 'an entry of the trash shows the value of a hidden title field',
    file: 'src/store/structure/trash-entries.ts',
    find: ' AND NOT (${hidden})`',
    replace: '`',
  },
  'trash-filter-dropped': {
    says: 'the trash lists records that the read filter would hide',
    file: 'src/store/structure/trash-entries.ts',
    find: 'recordsIn(id, entries, readCondition(store, granted)!)',
    replace: 'recordsIn(id, entries, granted && readCondition(store, granted) && sql`1 = 1`)',
  },
  'trash-of-others': {
    says: 'the trash lists what others deleted',
    file: 'src/store/structure/trash-entries.ts',
    find: "hasEveryRight(caller) ? sql`kind = 'record'` : sql",
    replace: "caller.userId > 0 ? sql`kind = 'record'` : sql",
  },
  'restore-names-hidden': {
    says: 'restoring names the hidden unique field whose value is taken',
    file: 'src/store/records/record-values.ts',
    find: 'if (!granted.attributes.has(field.name)) {',
    replace: 'if (granted.attributes.size === 0) {',
  },
  'kept-shows-hidden': {
    says: 'the kept answer of an Idempotency-Key shows a field that was hidden since',
    file: 'src/http/resources/record.ts',
    find: '.filter(([name]) => granted.attributes.has(name))',
    replace: '.filter(([name]) => name !== undefined)',
  },
  'token-tables-dropped': {
    says: 'a token limited to some tables reaches all of its holder',
    file: 'src/store/model/access.ts',
    find: ' || (caller.tables && !caller.tables.has(tableId))',
    replace: '',
  },
  'token-reads-only-dropped': {
    says: 'a token that may only read writes',
    file: 'src/store/model/access.ts',
    find: "return caller.scope === 'write' ? held : readingOnly(held)",
    replace: 'return held',
  },
  'token-reaches-people': {
    says: 'a token limited to some tables reaches what is not about tables, such as users',
    file: 'src/http/routing/reach.ts',
    find: '  if (!reaches(caller, token)) throw fail',
    replace: '  if (!caller) throw fail',
  },
  'not-modified-of-hidden': {
    says: 'If-None-Match is compared before the read filter is asked',
    file: 'src/http/handlers/get-record.ts',
    find: 'await get(store, granted, params.record)',
    replace: "await get(store, request.header('If-None-Match') === undefined ? granted : { ...granted, readFilter: '' }, params.record)",
  },
  'if-match-of-hidden': {
    says: 'If-Match is compared before the read filter is asked',
    file: 'src/store/records/present.ts',
    find: 'WHERE id = ${id}${and(readCondition(store, granted))}${store',
    replace: 'WHERE id = ${id}${and(ifMatch ? undefined : readCondition(store, granted))}${store',
  },
  'head-with-every-right': {
    says: 'HEAD is answered as to an administrator',
    file: 'src/http/exchange.ts',
    find: 'const caller: Caller = { ...(await identify(serving.settings, store, route, request)), client }',
    replace: `const caller: Caller = { ...(await identify(serving.settings, store, route, request)), client, ...(request.method === 'HEAD' && { groupId: 1 }) }`,
  },
  'total-of-the-table': {
    says: 'a list without a filter tells how many records the table has in all',
    file: 'src/store/lists/page-plan.ts',
    find: '[list.where.length > 0 ? countOf(list) : table.total]',
    replace: '[list.condition ? countOf(list) : table.total]',
  },
  'hidden-field-included': {
    says: 'include=fields of a table brings hidden ones',
    file: 'src/store/structure/fields.ts',
    find: 'sql`table_id = ${tableId} AND ${visibleFields(store, caller)}`',
    replace: 'sql`table_id = ${tableId}`',
  },
  'hidden-in-fields': {
    says: 'fields[…] takes a hidden field',
    file: 'src/http/resources/relationship.ts',
    find: 'has: (name) => view.allAttributes.has(name)',
    replace: 'has: (name) => view.table.allAttributes.has(name)',
  },
  'hidden-included': {
    says: 'include brings records that the read filter hides',
    file: 'src/store/records/related-records.ts',
    find: '(sql`${db.dialect.oneOf(sql`id`, ids)}${and(filter)}`)',
    replace: '(sql`${db.dialect.oneOf(sql`id`, ids)}${and(filter && sql`1 = 1`)}`)',
  },
  'hidden-title-field': {
    says: 'a table names its hidden title field',
    file: 'src/store/structure/tables.ts',
    find: 'if (hidden.length === 0) return undefined',
    replace: 'if (hidden.length >= 0) return undefined',
  },
  'people-listed': {
    says: 'everybody sees all users',
    file: 'src/store/people/users.ts',
    find: 'if (seesEverybody(caller)) return undefined',
    replace: 'if (caller.userId > 0) return undefined',
  },
  'change-right-not-asked': {
    says: 'the log shows changes of tables without any right',
    file: 'src/store/changes/list-changes.ts',
    find: "filter((id) => rightsOn(id, caller, catalogue).has('read'))",
    replace: 'filter((id) => rightsOn(id, caller, catalogue).size >= 0)',
  },
  'change-filter-dropped': {
    says: 'the log shows changes of records that the read filter hides',
    file: 'src/store/changes/list-changes.ts',
    find: 'const condition = readCondition(store, granted)\n  const records',
    replace: 'const condition = undefined as ReturnType<typeof readCondition>\n  const records',
  },
  'history-filter-dropped': {
    says: 'the history of a record that the read filter hides is empty, and not 404',
    file: 'src/store/changes/list-changes.ts',
    find: 'const readable = and(readCondition(store, granted))',
    replace: 'const readable = sql``',
  },
  'change-shows-hidden': {
    says: 'a change shows the values of hidden fields',
    file: 'src/store/changes/list-changes.ts',
    find: 'const columns = new Map<string, HeldAttribute>([...attributes.values()].map(',
    replace: 'const columns = new Map<string, HeldAttribute>([...table.attributes.values()].map(',
  },
  'change-of-hidden-alone': {
    says: 'a change of hidden fields alone is listed, without values',
    file: 'src/store/changes/list-changes.ts',
    find: "(touched = '' OR ${seen})",
    replace: "(touched = '' OR ${seen} OR 1 = 1)",
  },
  'followed-change-of-hidden-alone': {
    says: 'a change of hidden fields alone is shown after a cursor, without values',
    file: 'src/store/changes/stream-view.ts',
    find: '|| Object.keys(change.changes ?? {}).length > 0',
    replace: '|| Object.keys(change.changes ?? {}).length >= 0',
  },
  'followed-filter-dropped': {
    says: 'after a cursor, the read filter is not asked',
    file: 'src/store/changes/stream-view.ts',
    find: "const rule = readFilter === '' ? [] :",
    replace: 'const rule = readFilter.length >= 0 ? [] :',
  },
  'followed-outside': {
    says: 'after a cursor, changes of a record outside the read filter are shown, where it was in it once',
    file: 'src/store/changes/stream-view.ts',
    find: "if (is) return states!.before ? 'came' : 'inside'\n  return 'outside'",
    replace: "if (is) return states!.before ? 'came' : 'inside'\n  return 'inside'",
    crossing: true,
  },
  'followed-left-as-change': {
    says: 'after a cursor, the change by which a record leaves the read filter shows what it holds then',
    file: 'src/store/changes/stream-view.ts',
    find: "if (was) return states!.after ? 'left' : 'inside'",
    replace: "if (was) return 'inside'",
    crossing: true,
  },
  'followed-came-as-change': {
    says: 'after a cursor, the change by which a record comes into the read filter shows what it held before',
    file: 'src/store/changes/stream-view.ts',
    find: "if (is) return states!.before ? 'came' : 'inside'",
    replace: "if (is) return 'inside'",
    crossing: true,
  },
  'events-with-every-right': {
    says: 'live events are sent as to an administrator',
    file: 'src/store/changes/listeners.ts',
    find: 'const seen = await seenBy(store, asOfNow(caller), { ...batch, rows: rest }, narrowing, { spend, passBy })',
    replace: 'const seen = await seenBy(store, { ...caller, groupId: 1 }, { ...batch, rows: rest }, narrowing, { spend, passBy })',
    crossing: true,
  },
  'restored-hidden-change': {
    says: 'a record gets the values after a change that the caller does not see',
    file: 'src/store/undo/restore-version.ts',
    find: 'const change = await seeRow(store, wholeChanges, caller, id)',
    replace: 'const change = await seeRow(store, { ...wholeChanges, visible: () => undefined }, caller, id)',
  },
  'batch-of-others': {
    says: 'everybody sees the batches of all',
    file: 'src/store/changes/list-batches.ts',
    find: 'return onlyAdministrators(_, caller) && sql`user_id = ${caller.userId}`',
    replace: 'return onlyAdministrators(_, caller) && sql`user_id >= 0`',
  },
  'file-of-hidden-change': {
    says: 'the files of changes of hidden records and fields are sent',
    file: 'src/store/changes/file-of-change.ts',
    find: 'WHERE id = ${change} AND (${visible})`',
    replace: 'WHERE id = ${change}`',
  },
  'long-by-hidden': {
    says: 'a change is too long for a list by the values of hidden fields',
    file: 'src/store/changes/list-changes.ts',
    find: 'if (queries.length === 0) return rows',
    replace: 'if (queries.length >= 0) return rows',
  },
  'page-ends-by-hidden': {
    says: 'where a page of the log ends depends on changes that are hidden',
    file: 'src/store/changes/follow-changes.ts',
    find: 'if (changes.length === limit) return { changes, cursor, more: true, horizon }',
    replace: 'if (changes.length === limit && i < seen.length - 1) return { changes, cursor, more: true, horizon }',
  },
  'view-columns-told': {
    says: 'a saved view shows its columns that are hidden from the reader',
    file: 'src/store/people/saved-views.ts',
    find: 'rows.map((row) => withoutHidden(store, caller, row))',
    replace: 'rows.map((row) => (void withoutHidden(store, caller, row), row))',
  },
  'unknown-login-told': {
    says: 'signing in under a login that nobody has is refused in another way',
    file: 'src/store/people/tokens.ts',
    find: "    throw fail('auth.login_failed')\n  }\n  await throttle",
    replace: "    throw user ? fail('auth.login_failed') : fail('resource.not_found', { type: 'user', id: 0 })\n  }\n  await throttle",
  },
}

/** Faults that no answer tells, but the time it takes. `by`: the pair of timing.ts that must find it. */
export const slowPlants: Readonly<Record<string, Plant & { readonly by: string }>> = {
  'unknown-login-without-password': {
    says: 'the password is not tried where nobody has the login',
    file: 'src/store/people/tokens.ts',
    find: 'return verifyPassword(',
    replace: 'return user !== undefined && verifyPassword(',
    by: 'a login',
  },
  'hidden-record-read': {
    says: 'a hidden record is read a hundred times over before its read filter is asked',
    file: 'src/store/records/read-records.ts',
    find: "  if (!row) throw fail('record.not_found'",
    replace:
      "  if (!row) for (let i = 0, there = 1; i < 100 && there > 0; i++) there = (await read(record))[0]!.length\n  if (!row) throw fail('record.not_found'",
    by: 'a record',
  },
}
