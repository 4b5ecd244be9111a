import { walkRows } from '../../store/ground/list-rows.ts'
import type { Identified, Relation } from '../../store/ground/relation.ts'
import { command, jsonOption, showPages, type Command, type Context, type Row } from './command.ts'

/** Rows read at once. */
export const PAGE = 100

/** A command that lists all rows of a relation, as the operator sees them. */
export function listCommand<R extends Identified>(name: string, says: string, relation: Relation<R>, rowOf: (one: R) => Row): Command {
  async function* listed({ store, by }: Context): AsyncGenerator<Row[]> {
    for await (const page of walkRows(store, relation, by, undefined, PAGE)) yield page.map(rowOf)
  }
  return command({
    name,
    says,
    args: [],
    options: [jsonOption],
    begins: false,
    async run(context) {
      await showPages(context, listed(context))
      return 0
    },
  })
}
