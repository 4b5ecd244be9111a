import { fail } from '../../errors.ts'
import { kinds } from '../../jobs/kinds.ts'
import { createJob } from '../../store/jobs/jobs.ts'
import { object, takesAttributes } from '../answers/described.ts'
import { becomesJob, showAccepted } from '../resources/job-answers.ts'
import { integer, json, string } from '../resources/forms.ts'
import { pointed, readAttributes } from '../resources/resource.ts'
import { readDocument } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

const members = {
  kind: { of: 'kind', form: string, required: true, says: 'The kind of job.' },
  table_id: { of: 'tableId', form: integer, says: 'The table that it is about.' },
  input: { of: 'input', form: json, says: 'What it is to do.' },
} as const

interface Asked {
  readonly kind: string
  readonly tableId?: number
  readonly input?: unknown
}

const offered = [...kinds.values()].filter(({ read }) => read !== undefined)
const known = offered.map(({ name }) => name)

export const createJobRoute = route({
  method: 'POST',
  path: '/api/dev/job',
  says: 'Begins a job, with the rights of the caller: they are looked at again before each step.',
  token: 'tables',
  allow: () => undefined,
  takes: takesAttributes('job', object({ kind: { enum: known }, table_id: { type: 'integer' }, input: { type: 'object' } }, ['kind'])),
  answers: becomesJob,
  fails: ['job.unknown_kind', 'job.too_large', 'quota.reached', 'access.denied', 'table.not_found'],
  query: {},

  async run(request) {
    const { store, caller, catalogue } = request
    const sent = readAttributes<Asked>(members, readDocument(request, { type: 'job', creating: true }))
    const id = await pointed(members, async () => {
      const { kind: name, tableId = 0, input = {} } = sent
      const kind = offered.find((one) => one.name === name)
      if (!kind) throw fail('job.unknown_kind', { kind: name.slice(0, 100), known: known.join(', ') }, { attribute: 'kind' })
      if (typeof input !== 'object' || input === null || Array.isArray(input))
        throw fail('field.invalid_value', { why: 'The input of a job is an object.' }, { attribute: 'input' })
      const read: unknown = kind.read!(input as Readonly<Record<string, unknown>>, tableId)
      kind.allow(caller, catalogue, read)
      const state = kind.isDraft ? 'draft' : 'queued'
      return createJob(store, caller, {
        kind: name,
        tableId: kind.tableOf(read),
        input: read,
        fileName: kind.fileNameOf?.(read) ?? '',
        state,
      })
    })
    return showAccepted(request, id)
  },
})
