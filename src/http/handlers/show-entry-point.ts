import { rightsOn, type Caller } from '../../store/model/access.ts'
import type { Relation } from '../../store/ground/relation.ts'
import type { Store } from '../../store/ground/store.ts'
import { nothing } from '../../store/catalogue/visible.ts'
import { answers, object } from '../answers/described.ts'
import { entryPoint } from '../answers/jsonapi.ts'
import { reaches } from '../routing/reach.ts'
import { route, type Reach } from '../routing/route.ts'

interface Listed {
  readonly type: string
  readonly token: Reach
  readonly relation: Pick<Relation<never>, 'visible'>
}

/** `resources`: the service's own. */
export const showEntryPoint = (resources: readonly Listed[]) =>
  route({
    method: 'GET',
    path: '/api/dev',
    says: 'Links to every list that the caller may read, by type.',
    token: 'any',
    answers: answers({ schema: object({ links: { type: 'object', additionalProperties: { type: 'string' } }, meta: {}, jsonapi: {} }) }),
    query: {},

    async run({ store, caller, catalogue }) {
      const own: string[] = []
      for (const { type, token, relation } of resources)
        if (reaches(caller, token) && (await seesSomething(store, caller, relation))) own.push(type)
      const tables = [...catalogue.tables.keys()].filter((id) => rightsOn(id, caller, catalogue).has('read'))
      const names = [...own, ...tables.map((id) => `data${id}`)]
      const links = Object.fromEntries(names.map((name) => [name, `/api/dev/${name}`]))
      return entryPoint({ describedby: '/api/dev/openapi.json', ...links }, { service: 'Kartoteka' })
    },
  })

/** Administrators see the links to lists that are still empty too: they fill them. */
const seesSomething = async (store: Store, caller: Caller, { visible }: Listed['relation']): Promise<boolean> =>
  caller.administrator || (await visible(store, caller)) !== nothing
