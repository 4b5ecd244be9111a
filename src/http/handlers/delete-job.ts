import { seeRow } from '../../store/ground/relation.ts'
import { cancelJob, jobs } from '../../store/jobs/jobs.ts'
import { writer } from '../../store/catalogue/administrator.ts'
import { showsMeta } from '../answers/described.ts'
import { done } from '../answers/jsonapi.ts'
import { becomesJob, showAccepted } from '../resources/job-answers.ts'
import { job } from '../resources/job.ts'
import { mustAllow } from '../resources/resource.ts'
import { route } from '../routing/route.ts'

const allow = (caller: Parameters<typeof writer>[0]) => writer(caller, 'cancel jobs')

export const deleteJob = route({
  method: 'DELETE',
  path: '/api/dev/job/{id}',
  says: 'Cancels a job that waits or runs: it ends after its present step, and what it has done stays. One that has ended is removed from the list.',
  token: 'tables',
  allow: (asked) => mustAllow(job, { allow }, asked),
  takes: null,
  answers: [showsMeta(), { ...becomesJob, says: 'The job is cancelled, or will be after its present step.' }],
  query: {},

  async run(request) {
    const { store, caller, params } = request
    const outcome = await cancelJob(store, caller, params.id)
    // Its process may have ended it, and somebody else may have removed it.
    const isThere = outcome === 'cancelled' && (await seeRow(store, jobs, caller, params.id)) !== undefined
    return isThere ? showAccepted(request, params.id) : done()
  },
})
