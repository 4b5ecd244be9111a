import { setTimeout as sleep } from 'node:timers/promises'
import { check } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { firstOf } from '../../fields/value.ts'
import { BEGINNING, NOW, followChanges } from '../../store/changes/follow-changes.ts'
import { changes as relation, type Change } from '../../store/changes/list-changes.ts'
import { command, jsonOption, mustGoOn, text, type Context } from '../contract/command.ts'
import { findTable } from '../contract/find-table.ts'
import { UsageError } from '../explain/explain.ts'

/** Changes read at once. */
const PAGE = 50
/** Milliseconds between two looks at the log, where there was nothing new. */
const PAUSE = 250
/** Characters of a value in the text that is printed. */
const SHOWN = 60

export const changes = command({
  name: 'changes',
  says: 'Prints the changes of records, structure, rights and users, the oldest first, a line for each.',
  args: [],
  options: [
    { flags: '--table <table>', says: 'only changes of this table (id or name)' },
    { flags: '--after <cursor>', says: 'only changes after this one (its id); without it from the oldest, or with --follow from now on' },
    { flags: '--follow', says: 'print new changes as they are committed, until the command is stopped' },
    jsonOption,
  ],
  begins: false,
  async run(context) {
    const { store, by, options, output, ended } = context
    const table = text(context, 'table')
    const of = table === undefined ? undefined : parse(`eq(tableId,${findTable(store, table).id})`)
    const filter = of && check(of, { attributes: relation.attributes, context: store.context })
    const isFollowing = options['follow'] === true
    const isAlone = !ended && !store.db.dialect.shared
    let after = cursorOf(context) ?? (isFollowing ? NOW : BEGINNING)
    while (ended?.aborted !== true) {
      await store.catchUp?.()
      const { changes: read, cursor, more } = await followChanges(store, by, { after, limit: PAGE, filter })
      for (const change of read) await output.line(options['json'] === true ? JSON.stringify(change) : lineOf(change))
      after = cursor
      if (!isFollowing) mustGoOn(context)
      if (more) continue
      if (!isFollowing) return 0
      if (isAlone) {
        await output.note('No server runs on this data directory, so there is nothing to wait for.')
        return 0
      }
      await sleep(PAUSE, undefined, { signal: ended }).catch(() => {})
    }
    return 0
  },
})

function cursorOf(context: Context): number | undefined {
  const typed = text(context, 'after')
  if (typed === undefined) return undefined
  if (!/^\d+$/.test(typed) || !Number.isSafeInteger(Number(typed))) throw new UsageError(`'${typed}' is not the id of a change.`)
  return Number(typed)
}

function lineOf({ id, madeAt, action, tableId, recordId, resourceType, userId, via, changes: values }: Change): string {
  // Values of a resource are no texts.
  const textOf = (value: unknown) => (typeof value === 'string' ? `'${firstOf(value, SHOWN)}'` : firstOf(JSON.stringify(value), SHOWN))
  const cut = (value: unknown) => (value === null ? 'nothing' : textOf(value))
  const subject = tableId === 0 ? `${resourceType} ${recordId}` : `data${tableId}/${recordId}`
  const told = Object.entries(values ?? {}).map(([name, { from, to }]) => `${name}: ${cut(from)} → ${cut(to)}`)
  return [`${id}  ${madeAt}  ${action}  ${subject}  user ${userId}  ${via}`, ...told].join('  ')
}
