import { administrator } from '../../store/catalogue/administrator.ts'
import { seeRow, type Identified } from '../../store/ground/relation.ts'
import { showsMeta } from '../answers/described.ts'
import { done } from '../answers/jsonapi.ts'
import { effectsSchema, showEffects } from '../resources/deletion.ts'
import { mustAllow, mustExist, type Resource } from '../resources/resource.ts'
import { dryRun } from '../routing/readers.ts'
import { route, type Reader } from '../routing/route.ts'

/** Where a resource can tell what its deletion does, `dryRun=true` tells that and deletes nothing. */
export const deleteResource = <T extends Identified, X extends object>(
  resource: Resource<T, X>,
  remove: NonNullable<Resource<T, X>['remove']>,
) => {
  const { foretell } = resource
  const query: Readonly<Record<string, Reader<boolean>>> = foretell ? { dryRun } : {}
  return route({
    method: 'DELETE',
    path: `/api/dev/${resource.type}/{id}`,
    says: `Deletes one of ${resource.plural}.${foretell ? ' With dryRun=true it tells what would go or stop working, and deletes nothing.' : ''}`,
    token: remove.token ?? resource.token,
    allow: (asked) => mustAllow(resource, remove, asked),
    takes: null,
    answers: foretell ? [showsMeta(), { ...showsMeta(effectsSchema), says: 'With dryRun=true.' }] : showsMeta(),
    fails: remove.fails ?? [],
    query,

    async run({ store, caller, params, query: asked }) {
      mustExist(resource, params.id, await seeRow(store, resource.relation, caller, params.id))
      if (foretell && asked['dryRun'] === true)
        return done(showEffects(await foretell(store, administrator(caller, `delete ${resource.plural}`), params.id)))
      await remove.run(store, caller, params.id)
      return done()
    },
  })
}
