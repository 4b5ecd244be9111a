import { changedInput } from '../../jobs/import-input.ts'
import { mayImport } from '../../jobs/import-job.ts'
import { setInput } from '../../store/jobs/drafts.ts'
import { jobs, type Job } from '../../store/jobs/jobs.ts'
import { seeRow } from '../../store/ground/relation.ts'
import { fail } from '../../errors.ts'
import { object, showsOne, takesAttributes } from '../answers/described.ts'
import { one } from '../answers/jsonapi.ts'
import { openDraft, previewed } from '../resources/import-draft.ts'
import { json } from '../resources/forms.ts'
import { job } from '../resources/job.ts'
import { mustExist, readAttributes, toResource } from '../resources/resource.ts'
import { readDocument } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

const members = { input: { of: 'input', form: json, required: true, says: 'What is to be done.' } } as const

export const updateImport = route({
  method: 'PATCH',
  path: '/api/dev/job/{id}',
  says: 'Says what becomes of the columns of an import, and how its file is read. Where the file is there, both are checked against it.',
  token: 'tables',
  allow: openDraft,
  takes: takesAttributes('job', object({ input: { type: 'object' } }), { type: 'string' }),
  answers: showsOne('job'),
  fails: ['resource.not_found', 'job.not_draft', 'job.too_large', 'import.unfit', 'import.unreadable', 'server.busy'],
  query: {},

  async run(request) {
    const { store, caller, catalogue, params } = request
    const draft = await openDraft(request)
    const { input: sent } = readAttributes<{ readonly input?: unknown }>(
      members,
      readDocument(request, { type: 'job', id: params.id, creating: false }),
      {},
    )
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
      throw fail('field.invalid_value', { why: 'The input of a job is an object.' }, { attribute: 'input' })
    const input = changedInput(draft.input, sent as Readonly<Record<string, unknown>>)
    mayImport(caller, catalogue, input)
    if (draft.file !== '') await previewed(request, { input, file: draft.file })
    await setInput(store, params.id, input, input.fileName)
    return one(toResource<Job, object>(job, request, mustExist(job, params.id, await seeRow(store, jobs, caller, params.id))))
  },
})
