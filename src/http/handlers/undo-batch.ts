import { limits } from '../../limits.ts'
import { writer } from '../../store/catalogue/administrator.ts'
import { undoBatch as undo } from '../../store/undo/undo-batch.ts'
import { showsMeta } from '../answers/described.ts'
import { done } from '../answers/jsonapi.ts'
import { conflictsOf, plainBatch } from '../resources/batch.ts'
import { mustAllow } from '../resources/resource.ts'
import { dryRun, position } from '../routing/readers.ts'
import { route, type Asked } from '../routing/route.ts'

const mayUndo = (asked: Asked<'{id}'>) => mustAllow(plainBatch, { allow: (caller) => writer(caller, 'undo') }, asked)

const pageBefore = position('With `dryRun=true`: goes on with changes before this position, which is `meta.next` of the answer before.')

export const undoBatch = route({
  method: 'POST',
  path: '/api/dev/batch/{id}/undo',
  says: 'Takes back what a request, import or command changed, where nobody has changed it since.',
  token: 'unlimited',
  allow: mayUndo,
  takes: null,
  answers: showsMeta(
    {
      batch_id: { type: ['integer', 'null'] },
      done: { type: 'boolean' },
      records: { type: 'integer' },
      conflicts: { type: 'integer' },
      listed: { type: 'array', items: { type: 'object' } },
      next: { type: 'string' },
    },
    ['next'],
  ),
  fails: ['batch.undone', 'batch.unfinished', 'batch.not_undoable', 'field.being_converted'],
  query: { dryRun, 'page[before]': pageBefore },

  async run(request) {
    const { store, caller, params, query } = request
    await mayUndo(request)
    const undone = await undo(store, caller, params.id, { dryRun: query.dryRun, before: query['page[before]'], time: limits.undoTime.most })
    return done({
      batch_id: undone.batch ?? null,
      done: undone.done,
      records: undone.records,
      conflicts: undone.conflicts,
      listed: conflictsOf(undone.found),
      ...(query.dryRun && !undone.done && { next: String(undone.position) }),
    })
  },
})
