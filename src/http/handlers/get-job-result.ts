import { fail } from '../../errors.ts'
import { kinds } from '../../jobs/kinds.ts'
import { readOutcome } from '../../store/jobs/jobs.ts'
import { showsBytes } from '../answers/described.ts'
import { sendBytes } from '../resources/file.ts'
import { route } from '../routing/route.ts'

export const getJobResult = route({
  method: 'GET',
  path: '/api/dev/job/{id}/result',
  says: 'Sends the file that a job has made.',
  token: 'tables',
  answers: showsBytes,
  headers: ['If-Match', 'If-None-Match', 'Range', 'If-Range'],
  fails: [
    'resource.not_found',
    'job.no_file',
    'access.denied',
    'table.not_found',
    'file.not_found',
    'file.changed',
    'file.range_not_satisfiable',
  ],
  query: {},

  async run(request) {
    const { store, caller, catalogue, params } = request
    const outcome = await readOutcome(store, caller, params.id)
    const kind = kinds.get(outcome.kind)
    if (!kind?.fileOf || outcome.position === undefined || outcome.file === '') throw fail('job.no_file', { id: params.id })
    kind.mayRead?.(caller, catalogue, outcome.input, outcome.position)
    const file = kind.fileOf(outcome.input, outcome.position)
    if (!file) throw fail('job.no_file', { id: params.id })
    return sendBytes(request, file)
  },
})
