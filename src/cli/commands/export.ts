import { parse } from '../../filter/parse.ts'
import { grant } from '../../store/model/access.ts'
import type { Table } from '../../store/model/catalogue.ts'
import { walkRecords } from '../../store/records/walk-records.ts'
import { command, text } from '../contract/command.ts'
import { UsageError } from '../explain/explain.ts'
import { findTable } from '../contract/find-table.ts'
import { defused } from '../contract/formulas.ts'

export const exportTable = command({
  name: 'export',
  says: 'Prints the records of a table, as CSV or as one JSON object per line.',
  args: [{ name: 'table', says: 'id or name of the table' }],
  options: [
    { flags: '--format <format>', says: 'csv or jsonl', byDefault: 'csv' },
    { flags: '--filter <expression>', says: 'only the records that match' },
    {
      flags: '--defuse',
      says: 'write an apostrophe before values that a spreadsheet would run as formulas; import --defused removes it',
    },
    { flags: '--out <file>', says: 'write to this file instead of the terminal' },
  ],
  files: (typed) => ({ out: text(typed, 'out') }),
  begins: false,
  async run(context) {
    const { store, by, output } = context
    const table = findTable(store, context.args['table']!)
    const format = text(context, 'format')!
    if (format !== 'csv' && format !== 'jsonl') throw new UsageError(`--format takes csv or jsonl, not '${format}'.`)
    const isDefused = context.options['defuse'] === true
    if (isDefused && format !== 'csv') throw new UsageError('--defuse works with csv only.')
    const cell = isDefused ? defused : (value: string) => value
    const filter = text(context, 'filter')
    const out = text(context, 'out')
    const say = (lines: string) => output.append('out', `${lines}\n`)
    const names = [...table.attributes.keys()]
    const { default: Papa } = await import('papaparse')
    // Only when the first records are read: with an invalid filter, no file must be created.
    let begun = false
    const begin = async () => {
      if (!begun && format === 'csv') await say(Papa.unparse([headerOf(table).map(cell)]))
      begun = true
    }
    let done = 0
    for await (const records of walkRecords(
      store,
      grant('read', table.id, by, store.catalogue()),
      filter === undefined ? undefined : parse(filter),
    )) {
      await begin()
      const rows = records.map(({ id, attributes }): Record<string, string> => ({ id: String(id), ...attributes }))
      await say(
        format === 'csv'
          ? Papa.unparse(
              rows.map((row) => names.map((name) => cell(row[name] ?? ''))),
              { newline: '\n' },
            )
          : rows.map((row) => JSON.stringify(row)).join('\n'),
      )
      done += records.length
      if (out !== undefined) await output.progress('records', done)
    }
    await begin()
    if (out !== undefined) await output.note(`${done} records written to ${out}`)
    return 0
  },
})

/** The headers of the columns: titles of fields, which an import recognizes; if several fields have the same title, names of attributes. */
function headerOf({ attributes, fields }: Table): string[] {
  const titles = new Map<string, string>(fields.map(({ name, title }) => [name, title.trim()]))
  const times = (title: string) =>
    [...titles.values(), ...attributes.keys()].filter((one) => one.toLowerCase() === title.toLowerCase()).length
  return [...attributes.keys()].map((name) => {
    const title = titles.get(name)
    return title !== undefined && times(title) === 1 ? title : name
  })
}
