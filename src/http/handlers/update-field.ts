import { convertJob, type ConvertInput } from '../../jobs/convert-job.ts'
import { mustSuitJob } from '../../store/jobs/convert-steps.ts'
import { administrator } from '../../store/catalogue/administrator.ts'
import { foretellChange } from '../../store/structure/foretell-change.ts'
import { updateField } from '../../store/structure/fields.ts'
import { seeRow } from '../../store/ground/relation.ts'
import { showsMeta, showsOne, takesOne } from '../answers/described.ts'
import { done, one } from '../answers/jsonapi.ts'
import { oneOf, readDocument } from '../routing/readers.ts'
import { field } from '../resources/field.ts'
import { changeSchema, showChange } from '../resources/field-change.ts'
import { becomeJob, becomesJob } from '../resources/job-answers.ts'
import { chosenOf, mustAllow, mustExist, pointed, readAttributes, shown, toResource } from '../resources/resource.ts'
import { route } from '../routing/route.ts'

export const updateFieldOfTable = route({
  method: 'PATCH',
  path: '/api/dev/field/{id}',
  says: 'Changes a field. Another type converts the values of all records; with convertMode=lossy also where values are lost. With dryRun=true it tells what would be converted and lost, and changes nothing.',
  token: 'unlimited',
  allow: (asked) => mustAllow(field, { allow: (caller) => administrator(caller, 'change fields') }, asked),
  takes: takesOne('field', 'Update'),
  answers: [showsOne('field'), { ...showsMeta(changeSchema), says: 'With dryRun=true.' }, { ...becomesJob, says: 'With asJob=true.' }],
  fails: [
    'field.name_taken',
    'field.would_lose_data',
    'field.has_duplicates',
    'field.in_use',
    'field.being_converted',
    'field.not_by_job',
    'table.no_columns_left',
    'quota.reached',
    'job.too_large',
  ],
  query: {
    convertMode: oneOf(
      '`safe` (default): refuse a change of type that loses values. `lossy`: change the type, and make values empty that cannot be converted.',
      'safe',
      'lossy',
    ),
    dryRun: oneOf(
      '`true`: tells which values would be converted or lost, how texts are read, and which records hold options that would be removed; nothing is changed. Default: `false`.',
      'false',
      'true',
    ),
    asJob: oneOf(
      '`true`: a job converts the values in short steps between which others write, and the answer is 202 with the job. Default: `false`, in one transaction.',
      'false',
      'true',
    ),
  },
  sparseFields: true,

  async run(request) {
    const { store, caller, params, query } = request
    const chosen = chosenOf(request, field)
    const now = mustExist(field, params.id, await seeRow(store, field.relation, caller, params.id))
    const sent = readDocument(request, { type: 'field', id: params.id, creating: false })
    const changes = readAttributes<Parameters<typeof updateField>[3]>(field.members, sent, shown(field, request, now))
    const lossy = query.convertMode === 'lossy'
    if (query.dryRun === 'true') {
      const by = administrator(caller, 'change fields')
      return done(showChange(await pointed(field.members, () => foretellChange(store, by, params.id, changes))))
    }
    if (query.asJob === 'true') {
      const input: ConvertInput = { tableId: now.tableId, fieldId: params.id, changes, lossy }
      await pointed(field.members, () => mustSuitJob(store, administrator(caller, 'change fields'), input))
      return becomeJob(request, { kind: convertJob.name, tableId: now.tableId, input })
    }
    if (Object.keys(changes).length > 0) {
      await pointed(field.members, () => updateField(store, administrator(caller, 'change fields'), params.id, changes, { lossy }))
    }
    const row = mustExist(field, params.id, await seeRow(store, field.relation, caller, params.id))
    return one(toResource(field, request, row, chosen))
  },
})
