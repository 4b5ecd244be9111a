import orbit from '@orbit/jsonapi'
import records from '@orbit/records'
import serializers from '@orbit/serializers'

const { JSONAPISerializers, JSONAPISource } = orbit
const { RecordKeyMap, RecordSchema } = records
const { buildSerializerSettingsFor } = serializers

/** Calls of Orbit. Its serializers leave names as they are. */
export default ({ base, token, type, f1, f2 }) => {
  const { origin, pathname } = new URL(base)
  const schema = new RecordSchema({
    models: { [type]: { keys: { remoteId: {} }, attributes: { [f1]: { type: 'string' }, [f2]: { type: 'string' } } } },
  })
  const asIs = { serializationOptions: { inflectors: [] } }
  const source = new JSONAPISource({
    schema,
    keyMap: new RecordKeyMap(),
    name: 'kartoteka',
    host: origin,
    namespace: pathname.slice(1),
    defaultFetchSettings: { headers: { Authorization: `Bearer ${token}` } },
    serializerSettingsFor: buildSerializerSettingsFor({
      settingsByType: Object.fromEntries(
        ['Type', 'TypePath', 'Field', 'FieldPath', 'FieldParam'].map((name) => [JSONAPISerializers[`Resource${name}`], asIs]),
      ),
    }),
  })
  const schemaId = ({ keys }) => keys.remoteId
  const ids = (found) => found.map(schemaId)
  // Orbit has ids of its own; those of the service are keys.
  const of = (id) => ({ type, id: source.keyMap.keyToId(type, 'remoteId', id) })
  return {
    create: async (attributes) => schemaId(await source.update((t) => t.addRecord({ type, id: schema.generateId(type), attributes }))),
    filtered: async (value) => ids(await source.query((q) => q.findRecords(type).filter({ attribute: f1, value }))),
    page: async (number, size) => ids(await source.query((q) => q.findRecords(type).page({ offset: (number - 1) * size, limit: size }))),
    read: async (id) => (await source.query((q) => q.findRecord({ type, key: 'remoteId', value: id }))).attributes[f1],
    change: (id, attributes) => source.update((t) => t.updateRecord({ ...of(id), attributes })),
    remove: (id) => source.update((t) => t.removeRecord(of(id))),
  }
}
