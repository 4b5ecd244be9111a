import { fail } from '../../errors.ts'
import { grant } from '../../store/model/access.ts'
import { heldReferences } from '../../store/records/held-references.ts'
import { updateRecord as update } from '../../store/records/write-records.ts'
import type { Transaction } from '../../store/ground/db.ts'
import { component, nothing } from '../answers/described.ts'
import { versionCondition } from '../answers/etag.ts'
import {
  aboutLinkage,
  changedLinkage,
  mustBeWritable,
  relationshipName,
  relationshipOf,
  sentLinkage,
  textOf,
} from '../resources/relationship.ts'
import { route, type Asked, type Incoming } from '../routing/route.ts'

const PATH = '/api/dev/data{table}/{record}/relationships/r{field}'
type Asking = Pick<Asked<typeof PATH>, 'params' | 'caller' | 'catalogue'>

function mayUpdate({ params, caller, catalogue }: Asking) {
  const granted = grant(['update', 'read'], params.table, caller, catalogue)
  const relationship = relationshipOf(granted, params)
  mustBeWritable(granted, relationship)
  return { granted, relationship }
}

/** @throws `relationship.to_one` besides */
function mayChangeMembers(asking: Asking) {
  const allowed = mayUpdate(asking)
  const { relationship } = allowed
  if (!relationship.isToMany) throw fail('relationship.to_one', { name: relationshipName(relationship) })
  return allowed
}

const linkage = (...data: readonly object[]) => ({
  schema: { type: 'object', properties: { data: data.length === 1 ? data[0] : { anyOf: data } }, required: ['data'] },
})
const members = { type: 'array', items: component('identifier') }
const shared = {
  path: PATH,
  token: 'tables',
  answers: nothing,
  headers: ['If-Match'],
  query: {},
} as const

export const updateRelationship = route({
  ...shared,
  method: 'PATCH',
  says: 'Changes which records a reference field of a record refers to.',
  allow: mayUpdate,
  takes: linkage(component('identifier'), members, { type: 'null' }),
  fails: ['record.stale', 'field.required', 'field.invalid_value'],

  async run(request) {
    const { store, params, body } = request
    const { granted, relationship } = mayUpdate(request)
    const sent = new Map([[relationship.field.name, textOf(relationship, sentLinkage(body, relationship))]])
    await aboutLinkage(relationship, () => update(store, granted, params.record, sent, { ifMatch: versionCondition(request) }))
    return { status: 204 }
  },
})

export const addToRelationship = route({
  ...shared,
  method: 'POST',
  says: 'Adds records to those that a field with several references refers to.',
  allow: mayChangeMembers,
  takes: linkage(members),
  fails: ['record.stale', 'field.invalid_value', 'relationship.to_one'],
  run: (request) => changeMembers(request, 'add'),
})

export const removeFromRelationship = route({
  ...shared,
  method: 'DELETE',
  says: 'Removes records from those that a field with several references refers to.',
  allow: mayChangeMembers,
  takes: linkage(members),
  fails: ['record.stale', 'field.required', 'relationship.to_one'],
  run: (request) => changeMembers(request, 'remove'),
})

/** What the record holds is read in the transaction, so that two clients who add or remove at once both succeed. */
async function changeMembers(request: Incoming<typeof PATH>, op: 'add' | 'remove') {
  const { store, params, body } = request
  const { granted, relationship } = mayChangeMembers(request)
  const named = sentLinkage(body, relationship)
  const later = async (tx: Transaction) => {
    const held = await heldReferences(store, tx, relationship.field, params.record)
    return new Map([[relationship.field.name, textOf(relationship, changedLinkage(op, held, named))]])
  }
  const options = { ifMatch: versionCondition(request), later }
  await aboutLinkage(relationship, () => update(store, granted, params.record, new Map(), options))
  return { status: 204 }
}
