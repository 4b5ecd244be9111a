import { registerHooks } from 'node:module'

// Its packages are meant for a bundler; this condition chooses the files that are built already.
registerHooks({
  resolve: (name, context, next) =>
    next(name, name.startsWith('@warp-drive/') ? { ...context, conditions: [...context.conditions, 'unpkg'] } : context),
})
const { CacheHandler, Fetch, RequestManager, Store } = await import('@warp-drive/core')
const { setupSignals } = await import('@warp-drive/core/configure')
const { SchemaService, instantiateRecord, registerDerivations, teardownRecord, withDefaults } = await import('@warp-drive/core/reactive')
const { JSONAPICache } = await import('@warp-drive/json-api')

setupSignals(() => ({
  createSignal: () => ({}),
  consumeSignal: () => undefined,
  notifySignal: () => undefined,
  createMemo: (_object, _key, compute) => compute,
  willSyncFlushWatchers: () => false,
}))

/** Requests of WarpDrive, whose cache makes records of the documents. */
export default ({ base, token, type, f1, f2 }) => {
  class People extends Store {
    requestManager = new RequestManager().use([Fetch]).useCache(CacheHandler)
    createSchemaService() {
      const schema = new SchemaService()
      registerDerivations(schema)
      schema.registerResource(withDefaults({ type, fields: [f1, f2].map((name) => ({ kind: 'field', name })) }))
      return schema
    }
    createCache(capabilities) {
      return new JSONAPICache(capabilities)
    }
    instantiateRecord(key, values) {
      return instantiateRecord(this, key, values)
    }
    teardownRecord(record) {
      teardownRecord(record)
    }
  }
  const media = 'application/vnd.api+json'
  const headers = { Authorization: `Bearer ${token}`, Accept: media, 'Content-Type': media }
  const request = async (op, method, path, data) => {
    const body = data && JSON.stringify({ data: { type, ...data } })
    const sent = { url: `${base}/${path}`, op, method, headers: new Headers(headers), ...(body && { body }) }
    return (await new People().request(sent)).content.data
  }
  const ids = async (query) => (await request('query', 'GET', `${type}?${query}`)).map(({ id }) => id)
  return {
    create: async (attributes) => (await request('create', 'POST', type, { attributes })).id,
    filtered: (value) => ids(`filter[${f1}]=${value}`),
    page: (number, size) => ids(`page[number]=${number}&page[size]=${size}`),
    read: async (id) => (await request('findRecord', 'GET', `${type}/${id}`))[f1],
    change: (id, attributes) => request('update', 'PATCH', `${type}/${id}`, { id, attributes }),
    remove: (id) => request('delete', 'DELETE', `${type}/${id}`),
  }
}
