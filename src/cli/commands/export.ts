import { fold } from '../../fields/fold.ts'
import { parse } from '../../filter/parse.ts'
import { parseSort } from '../../filter/sort.ts'
import { grant } from '../../store/model/access.ts'
import type { Field, Table } from '../../store/model/catalogue.ts'
import { exportRecords } from '../../transfer/export-records.ts'
import { TooLong } from '../../transfer/spreadsheet-values.ts'
import { command, many, text, type Context } from '../contract/command.ts'
import { inCharacters, Refused, UsageError } from '../explain/explain.ts'
import { findTable } from '../contract/find-table.ts'

export const exportTable = command({
  name: 'export',
  says: 'Prints the records of a table: as CSV, as one JSON object per line, or as a workbook.',
  args: [{ name: 'table', says: 'id or name of the table' }],
  options: [
    { flags: '--format <format>', says: 'csv, jsonl or xlsx', byDefault: 'csv' },
    { flags: '--filter <expression>', says: 'only the records that match' },
    { flags: '--sort <attributes>', says: 'their order, as the parameter sort of a list; otherwise by id' },
    {
      flags: '--defuse',
      says: 'write an apostrophe before values that a spreadsheet would run as formulas; import --defused removes it',
    },
    {
      flags: '--reference-key <field=key>',
      says: 'write references of a field by this unique field of the other table, not by id; import --reference finds the records by it',
      many: true,
    },
    { flags: '--out <file>', says: 'write to this file instead of the terminal' },
  ],
  files: (typed) => ({ out: text(typed, 'out') }),
  begins: false,
  async run(context) {
    try {
      return await exported(context)
    } catch (error) {
      throw inCharacters(error, text(context, 'filter') ?? '')
    }
  },
})

async function exported(context: Context): Promise<0> {
  const { store, by, output } = context
  const table = findTable(store, context.args['table']!)
  const format = text(context, 'format')!
  if (format !== 'csv' && format !== 'jsonl' && format !== 'xlsx')
    throw new UsageError(`--format takes csv, jsonl or xlsx, not '${format}'.`)
  const isDefused = context.options['defuse'] === true
  if (isDefused && format !== 'csv') throw new UsageError('--defuse works with csv only.')
  const filter = text(context, 'filter')
  const out = text(context, 'out')
  const keys = keysAsked(context, table)
  let [done, empty] = [0, 0]
  const granted = grant(['read', 'print'], table.id, by, store.catalogue())
  const parts = exportRecords(store, granted, {
    format,
    filter: filter ? parse(filter) : undefined,
    sort: parseSort(text(context, 'sort') ?? '', granted.allAttributes),
    chosen: undefined,
    isDefused,
    keys,
    keyless: (references) => void (empty += references),
    async progress(records) {
      done = records
      if (out !== undefined) await output.progress('records', done)
    },
  })
  try {
    for await (const part of parts) await (typeof part === 'string' ? output.append('out', part) : output.appendBytes('out', part))
  } catch (error) {
    throw error instanceof TooLong ? new Refused({ text: error.message, usage: false }) : error
  }
  // The file is there also where it has nothing in it.
  if (done === 0) await output.append('out', '')
  if (empty > 0) await output.note(`${empty} references are left empty: their records are gone or have no key.`)
  if (out !== undefined) await output.note(`${done} records written to ${out}`)
  return 0
}

/** @throws UsageError for what is no reference to one record, or no unique field of the other table */
function keysAsked(context: Context, table: Table): ReadonlyMap<string, Field> {
  const { store } = context
  return new Map(
    many(context, 'referenceKey').map((pair) => {
      const [, named, key] = /^(.+?)=(.+)$/s.exec(pair) ?? []
      if (named === undefined || key === undefined) throw new UsageError(`--reference-key takes field=key, not '${pair}'.`)
      const field = findField(table, named)
      const target = store.catalogue().tables.get(field.settings.referenceTableId ?? 0)
      if (!target || field.type.kind === 'set') throw new UsageError(`The field '${field.title}' does not refer to one record of a table.`)
      const by = findField(target, key)
      if (!by.settings.unique)
        throw new UsageError(`The field '${by.title}' of table '${target.title}' is not unique, so it cannot name records.`)
      return [field.name, by]
    }),
  )
}

function findField({ title, fields }: Table, named: string): Field {
  const found = fields.find(({ name }) => name === named) ?? fields.find((field) => fold(field.title) === fold(named))
  if (!found) throw new UsageError(`The table '${title}' has no field '${named}'.`)
  return found
}
