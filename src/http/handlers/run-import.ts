import { createJob } from '../../store/jobs/jobs.ts'
import { queueDraft, setInputFile } from '../../store/jobs/drafts.ts'
import { openDraft, tried } from '../resources/import-draft.ts'
import { becomesJob, showAccepted } from '../resources/job-answers.ts'
import { dryRun } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

export const runImport = route({
  method: 'POST',
  path: '/api/dev/job/{id}/run',
  says: 'Begins an import that has its file. With `dryRun=true` another job goes through the whole file, counts, lists the lines that would be refused, and changes nothing.',
  token: 'tables',
  allow: openDraft,
  takes: null,
  answers: becomesJob,
  fails: ['resource.not_found', 'job.not_draft', 'import.no_file', 'import.unreadable', 'import.unfit', 'quota.reached', 'server.busy'],
  query: { dryRun },

  async run(request) {
    const { store, caller, params, query } = request
    const { input, file, tableId, total } = await openDraft(request)
    await tried(request, { input, file })
    if (!query.dryRun) {
      await queueDraft(store, params.id)
      return showAccepted(request, params.id)
    }
    const id = await createJob(store, caller, {
      kind: 'import',
      tableId,
      input: { ...input, isTrial: true },
      fileName: input.fileName,
      isTrial: true,
      state: 'draft',
    })
    await setInputFile(store, id, { hash: file, size: total ?? 0 })
    await queueDraft(store, id)
    return showAccepted(request, id)
  },
})
