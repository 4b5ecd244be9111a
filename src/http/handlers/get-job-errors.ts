import { jobs } from '../../store/jobs/jobs.ts'
import { piecesOf } from '../../store/jobs/pieces.ts'
import { seeRow } from '../../store/ground/relation.ts'
import { answers } from '../answers/described.ts'
import { contentDisposition } from '../resources/file.ts'
import { job } from '../resources/job.ts'
import { mustExist } from '../resources/resource.ts'
import { route } from '../routing/route.ts'

const media = 'text/csv; charset=utf-8'

export const getJobErrors = route({
  method: 'GET',
  path: '/api/dev/job/{id}/errors',
  says: 'Sends the lines that an import refused as CSV: line, column, reason, and the line itself. Without such lines it is empty.',
  token: 'tables',
  answers: answers({ media }),
  fails: ['resource.not_found'],
  query: {},

  async run({ store, caller, params }) {
    mustExist(job, params.id, await seeRow(store, jobs, caller, params.id))
    return {
      status: 200,
      headers: {
        'Content-Type': media,
        'Content-Disposition': contentDisposition('attachment', `import ${params.id} errors.csv`),
        'Cache-Control': 'no-store',
      },
      body: { parts: () => piecesOf(store, params.id) },
    }
  },
})
