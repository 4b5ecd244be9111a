import { rightsOn } from '../../store/access.ts'
import { entryPoint } from '../jsonapi.ts'
import { route } from '../route.ts'

/** `types`: the service's own resources. */
export const showEntryPoint = (types: readonly string[]) =>
  route({
    method: 'GET',
    path: '/api/dev',
    says: 'Links to every list that the caller may read, by type.',
    query: {},

    async run({ caller, catalogue }) {
      const tables = [...catalogue.tables.keys()].filter((id) => rightsOn(id, caller, catalogue).has('read'))
      const names = [...types, ...tables.map((id) => `data${id}`)]
      return entryPoint(Object.fromEntries(names.map((name) => [name, `/api/dev/${name}`])), { service: 'Kartoteka' })
    },
  })
