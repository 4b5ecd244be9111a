import { HEAD, tableOfTables, typeNames, typesOfTable } from '../../documents/typescript.ts'
import { view } from '../../store/model/access.ts'
import { command, many, mustGoOn } from '../contract/command.ts'
import { findTable } from '../contract/find-table.ts'

export const types = command({
  name: 'types',
  says: 'Prints TypeScript types of the tables, for programs that use the interface.',
  args: [],
  options: [{ flags: '--table <table>', says: 'id or name of a table; may be given several times. Default: all', many: true }],
  begins: false,
  async run(context) {
    const { store, by, output } = context
    const named = many(context, 'table')
    const catalogue = store.catalogue()
    const tables = named.length > 0 ? [...new Set(named.map((one) => findTable(store, one)))] : [...catalogue.tables.values()]
    const views = tables.map((table) => view(table, by, catalogue))
    const names = typeNames(views)
    // A line is printed without line breaks of its own.
    const print = async (text: string) => {
      for (const line of text.split('\n')) await output.line(line)
    }
    await print(HEAD)
    for (const one of views) {
      mustGoOn(context)
      await print(typesOfTable(one, names.get(one.table.id)!))
    }
    await print(tableOfTables(views).trimEnd())
    return 0
  },
})
