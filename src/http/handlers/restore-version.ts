import { Failure, Failures } from '../../errors.ts'
import { grant, type Granted } from '../../store/model/access.ts'
import { restoreVersion as restore, type Version } from '../../store/undo/restore-version.ts'
import { object, showsMeta, showsOne, takesMeta } from '../answers/described.ts'
import { versionCondition } from '../answers/etag.ts'
import { done } from '../answers/jsonapi.ts'
import { completeChanged } from '../answers/long-answer.ts'
import { oneRecord } from '../resources/record.ts'
import { dryRun, readVersion } from '../routing/readers.ts'
import { route, type Asked } from '../routing/route.ts'

const mayRestore = ({ params, caller, catalogue }: Pick<Asked<'{table}'>, 'params' | 'caller' | 'catalogue'>): Granted<'update' | 'read'> =>
  grant(['update', 'read'], params.table, caller, catalogue)

const version = object({ change: { type: ['integer', 'string'] }, attributes: { type: 'array', items: { type: 'string' } } }, ['change'])

export const restoreVersion = route({
  method: 'POST',
  path: '/api/dev/data{table}/{record}/restore',
  says: 'Gives a record, or some of its attributes, what they held after a change.',
  token: 'tables',
  allow: mayRestore,
  takes: takesMeta(version),
  answers: [showsOne('data{table}'), { ...showsMeta({ changes: {}, left: {} }), says: 'With dryRun=true.' }],
  headers: ['If-Match'],
  fails: ['record.stale', 'resource.not_found', 'change.no_state', 'record.in_trash'],
  query: { dryRun },

  async run(request) {
    const { store, params, query } = request
    const granted = mayRestore(request)
    const version = readVersion(request)
    const { record, changes, left } = await placed(version, () =>
      restore(store, granted, params.record, version, { dryRun: query.dryRun, ifMatch: versionCondition(request) }),
    )
    if (query.dryRun) return done({ changes, left })
    return completeChanged(request, { granted, record }, undefined, (view, one) => oneRecord(request, view, one, undefined))
  },
})

/** The failures of attributes point at where the request names them; `meta` has their names. */
async function placed<T>({ attributes }: Version, work: () => Promise<T>): Promise<T> {
  const place = (failure: Failure): Failure => {
    const { attribute, meta } = failure.where
    if (attribute === undefined) return failure
    const pointer = attributes ? `/meta/attributes/${attributes.indexOf(attribute)}` : '/meta/change'
    return failure.with({ meta: { ...meta, attribute }, source: { pointer } })
  }
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) throw place(error)
    throw error instanceof Failures ? new Failures(error.failures.map(place)) : error
  }
}
