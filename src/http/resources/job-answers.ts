import { createJob, jobs, type NewJob } from '../../store/jobs/jobs.ts'
import { seeRow } from '../../store/ground/relation.ts'
import { answers, component, object } from '../answers/described.ts'
import { accepted } from '../answers/jsonapi.ts'
import type { Answer, Incoming, Reply } from '../routing/route.ts'
import { job } from './job.ts'
import { mustExist, toResource } from './resource.ts'

/* Requests that become jobs. */

/** The answer to a request that has become a job. */
export const becomesJob: Answer = answers(
  { schema: object({ data: component('job'), jsonapi: component('jsonapi') }) },
  { status: 202, says: 'The request has become a job, whose address is in `Location`.', types: ['job'] },
)

/** The job, as it is now: 202 with its address. */
export async function showAccepted(request: Pick<Incoming, 'store' | 'caller'>, id: number): Promise<Reply> {
  const { store, caller } = request
  return accepted(toResource(job, request, mustExist(job, id, await seeRow(store, jobs, caller, id))))
}

/** @throws `quota.reached`, `job.too_large` */
export const becomeJob = async (request: Pick<Incoming, 'store' | 'caller'>, wanted: NewJob): Promise<Reply> =>
  showAccepted(request, await createJob(request.store, request.caller, wanted))
