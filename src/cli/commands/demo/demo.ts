import { command, count } from '../../contract/command.ts'
import { UsageError } from '../../explain/explain.ts'

export const demo = command({
  name: 'demo',
  says: 'Creates invented demonstration data: companies, people, deals and tasks.',
  args: [],
  options: [{ flags: '--records <count>', says: 'number of companies; people and tasks are twice as many', byDefault: '200' }],
  begins: true,
  async run(context) {
    const { demoTables, makeDemo } = await import('./make-demo.ts')
    const there = [...context.store.catalogue().tables.values()].find(({ title }) => demoTables.includes(title))
    if (there)
      throw new UsageError(`There is a table '${there.title}' already. Demonstration data is only created where there are no tables.`)
    const made = await makeDemo(context.store, context.by, count(context, 'records')!, (done, total, table) =>
      context.output.progress(table, done, total),
    )
    for (const [table, records] of made) await context.output.line(`${table}: ${records}`)
    return 0
  },
})
