import { summary, type DeletionEffects } from '../../store/structure/deletion-effects.ts'
import { show, type Context, type Option } from './command.ts'

export const dryRunOption: Option = { flags: '--dry-run', says: 'show what would go or stop working, and delete nothing' }

/** Prints what a deletion would do. Returns the exit code: 1 where it would be refused. */
export async function tellEffects(context: Context, effects: DeletionEffects): Promise<number> {
  const { records, files, bytes, references, users, affected, refused } = effects
  const { listed } = summary(effects)
  await context.output.line(`${records} records, ${files} files (${bytes} bytes), ${users} users; ${references} records refer to it`)
  if (listed.length > 0)
    await show(
      context,
      listed.map((one) => ({ what: one.type, id: one.id, table: one.tableId, name: one.title, records: one.records ?? '' })),
    )
  if (listed.length < affected.length) await context.output.note(`${affected.length - listed.length} more are not listed.`)
  if (refused !== undefined) await context.output.note(`It would be refused: ${refused}.`)
  return refused === undefined ? 0 : 1
}
