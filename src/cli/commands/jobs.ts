import { committed, findRow } from '../../store/ground/relation.ts'
import { cancelJob, jobs, NEVER, type Job } from '../../store/jobs/jobs.ts'
import { command, idOf } from '../contract/command.ts'
import { listCommand } from '../contract/list-command.ts'
import { UsageError } from '../explain/explain.ts'

const timeOf = (time: string): string => (time === NEVER ? '' : time)

const rowOf = ({ id, kind, tableId, state, cancelAsked, done, total, userId, batchId, addTime, beginTime, endTime, error }: Job) => ({
  id,
  kind,
  table: tableId === 0 ? '' : tableId,
  state: state === 'running' && cancelAsked ? 'cancelling' : state,
  done,
  total: total ?? '',
  user: userId,
  batch: batchId ?? '',
  made: addTime,
  begun: timeOf(beginTime),
  ended: timeOf(endTime),
  error: error?.code ?? '',
})

export const listJobs = listCommand('job list', 'Lists the jobs of all users, and how far they are.', jobs, rowOf)

export const cancelJobCommand = command({
  name: 'job cancel',
  says: 'Cancels a job that waits or runs; removes one that has ended, or that is a draft.',
  args: [{ name: 'id', says: 'id as `job list` shows it' }],
  options: [],
  begins: false,
  async run(context) {
    const { store, by, args, output } = context
    const id = idOf(context, 'id')
    const job = await findRow(committed(store), jobs, id)
    if (!job) throw new UsageError(`There is no job ${args['id']}.`)
    const outcome = await cancelJob(store, by, id)
    if (outcome === 'removed') await output.note(`Job ${id} removed.`)
    else if (job.state === 'running') await output.note(`Job ${id} ends after its present step.`)
    else await output.note(`Job ${id} cancelled.`)
    return 0
  },
})
