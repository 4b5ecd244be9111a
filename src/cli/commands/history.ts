import { check } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { changes, changesOf, seeRecord, type Change } from '../../store/changes/list-changes.ts'
import { walkRows } from '../../store/ground/list-rows.ts'
import { view } from '../../store/model/access.ts'
import { firstOf } from '../../fields/value.ts'
import { command, idOf, jsonOption, showPages, type Context } from '../contract/command.ts'
import { findTable } from '../contract/find-table.ts'

/** Changes read at once. */
const PAGE = 50
/** Characters of a value in the table that is printed. */
const SHOWN = 60

export const history = command({
  name: 'history',
  says: 'Lists the changes of a record: what each attribute held before and after, the newest last.',
  args: [
    { name: 'table', says: 'id or name of the table' },
    { name: 'record', says: 'id of the record, which may be in the trash' },
  ],
  options: [jsonOption],
  begins: false,
  async run(context) {
    const { store, by, args } = context
    const table = findTable(store, args['table']!)
    const record = idOf(context, 'record')
    await seeRecord(store, view(table, by, store.catalogue()), record)
    await showPages(context, linesOf(context, table.id, record))
    return 0
  },
})

async function* linesOf({ store, by, options }: Context, tableId: number, recordId: number): AsyncGenerator<Line[]> {
  const { attributes } = changes
  const ofRecord = check(parse(`and(eq(tableId,${tableId}),eq(recordId,${recordId}))`), { attributes, context: store.context })
  for await (const page of walkRows(store, changesOf(tableId, recordId), by, ofRecord, PAGE))
    yield page.flatMap((change) => linesFor(change, options['json'] === true))
}

type Line = Readonly<Record<string, unknown>>

/** A line for each attribute; one where there is none. */
function linesFor({ id, madeAt, action, userId, via, batchId, changes: shown }: Change, whole: boolean): Line[] {
  const cut = (text: string | null) => (text === null ? '' : whole ? text : firstOf(text, SHOWN))
  const told = { change: id, time: madeAt, action, user: userId, via, batch: batchId }
  const values = Object.entries(shown ?? {})
  // Long values are not in the list.
  if (values.length === 0) return [{ ...told, attribute: shown ? '' : '…', from: '', to: '' }]
  return values.map(([attribute, { from, to }]) => ({ ...told, attribute, from: cut(from), to: cut(to) }))
}
