import { jobs, type Job } from '../../store/jobs/jobs.ts'
import { setInputFile } from '../../store/jobs/drafts.ts'
import { seeRow } from '../../store/ground/relation.ts'
import { bytes, showsOne } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { openDraft } from '../resources/import-draft.ts'
import { job } from '../resources/job.ts'
import { mustExist, toResource } from '../resources/resource.ts'
import { route } from '../routing/route.ts'

export const putImportFile = route({
  method: 'PUT',
  path: '/api/dev/job/{id}/file',
  says: 'Stores the bytes of the body as the file of an import: CSV, JSON lines, or a workbook (.xlsx). It replaces the one before.',
  token: 'tables',
  answers: showsOne('job'),
  takes: bytes,
  fails: ['resource.not_found', 'job.not_draft', 'body.too_large', 'server.busy'],
  allow: openDraft,
  receives: () => Number.MAX_SAFE_INTEGER,
  query: {},

  async run(request) {
    const { store, caller, params, stored } = request
    await openDraft(request)
    await setInputFile(store, params.id, stored!)
    return one(toResource<Job, object>(job, request, mustExist(job, params.id, await seeRow(store, jobs, caller, params.id))))
  },
})
