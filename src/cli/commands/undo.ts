import { limits } from '../../limits.ts'
import { undoBatch, type Undone } from '../../store/undo/undo-batch.ts'
import { command, idOf } from '../contract/command.ts'

export const undo = command({
  name: 'undo',
  says: 'Takes back what an import, request or command changed, where nobody has changed it since; lists what stays.',
  args: [{ name: 'batch', says: 'id of the batch, as import prints it' }],
  options: [{ flags: '--dry-run', says: 'show what the undo would do, and change nothing' }],
  begins: false,
  async run(context) {
    const { store, by, options, output } = context
    const dryRun = options['dryRun'] === true
    const progress = ({ records, conflicts }: Undone) => output.progress(`records, ${conflicts} conflicts`, records)
    const undone = await undoBatch(store, by, idOf(context, 'batch'), { dryRun, onStep: progress })
    const { batch, records, conflicts, found } = undone
    for (const { tableId, recordId, attribute, failure } of found)
      await output.line(`table ${tableId}, record ${recordId}${attribute === undefined ? '' : `, ${attribute}`}: ${failure.message}`)
    if (conflicts > found.length)
      await output.line(`… and ${conflicts - found.length} more (at most ${limits.undoConflicts.most} are listed)`)
    await output.line(`${records} records ${dryRun ? 'would be changed back' : 'changed back'}, ${conflicts} conflicts`)
    if (records === 0 && conflicts === 0)
      await output.note('It changed no records that are still there. Changes of structure, rights and users are not undone.')
    if (batch !== undefined) await output.note(`batch ${batch}; take it back with: kartoteka undo ${batch}`)
    return 0
  },
})
