import { check } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { changes, seeRecord, type Change } from '../../store/changes/list-changes.ts'
import { listRows } from '../../store/ground/relation.ts'
import { view } from '../../store/model/access.ts'
import { firstOf } from '../../fields/value.ts'
import { command, idOf, jsonOption, show, type Context } from '../contract/command.ts'
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
    const lines: Record<string, unknown>[] = []
    for await (const change of changesOf(context, table.id, record)) lines.push(...linesOf(change, context.options['json'] === true))
    await show(context, lines)
    return 0
  },
})

async function* changesOf({ store, by }: Context, tableId: number, recordId: number): AsyncGenerator<Change> {
  const { attributes } = changes
  for (let last = 0; ;) {
    const ofRecord = parse(`and(eq(tableId,${tableId}),eq(recordId,${recordId}),gt(id,${last}))`)
    const filter = check(ofRecord, { attributes, context: store.context })
    const { rows } = await listRows(store, changes, by, { filter, sort: [], offset: 0, limit: PAGE })
    yield* rows
    if (rows.length < PAGE) return
    last = rows.at(-1)!.id
  }
}

/** A line for each attribute; one where there is none. */
function linesOf({ id, madeAt, action, userId, via, batchId, changes: shown }: Change, whole: boolean): Record<string, unknown>[] {
  const cut = (text: string | null) => (text === null ? '' : whole ? text : firstOf(text, SHOWN))
  const told = { change: id, time: madeAt, action, user: userId, via, batch: batchId }
  const values = Object.entries(shown ?? {})
  // Long values are not in the list.
  if (values.length === 0) return [{ ...told, attribute: shown ? '' : '…', from: '', to: '' }]
  return values.map(([attribute, { from, to }]) => ({ ...told, attribute, from: cut(from), to: cut(to) }))
}
