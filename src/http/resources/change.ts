import { changes, wholeChanges, type Change } from '../../store/changes/list-changes.ts'
import { asIs, integer, string } from './forms.ts'
import { ownOf } from './own.ts'
import { defineResource } from './resource.ts'

export const change = defineResource<Change>({
  type: 'change',
  token: 'tables',
  plural: 'the changes of records, structure, rights and users',
  relation: changes,
  members: {
    table_id: { of: 'tableId', form: integer, set: 'never' },
    record_id: { of: 'recordId', form: integer, set: 'never' },
    resource_type: { of: 'resourceType', form: string, set: 'never' },
    action: { of: 'action', form: string, set: 'never' },
    user_id: { of: 'userId', form: integer, set: 'never' },
    token_id: { of: 'tokenId', form: integer, set: 'never' },
    via: { of: 'via', form: string, set: 'never' },
    batch_id: { of: 'batchId', form: integer, set: 'never' },
    made_at: { of: 'madeAt', form: string, set: 'never' },
    changes: { of: 'changes', form: asIs, set: 'never' },
  },
  complete: (_, row) =>
    row.tableId === 0 && row.changes ? { ...row, changes: asShown(row, row.changes) as NonNullable<Change['changes']> } : row,
})

/** With values of any length. */
export const wholeChange: typeof change = { ...change, relation: wholeChanges }

/** What the log has by column, by the attributes of the resource and as the resource shows it; what it does not show is left out. */
function asShown({ resourceType, action }: Change, held: NonNullable<Change['changes']>): Readonly<Record<string, unknown>> {
  const resource = ownOf.get(resourceType)
  if (!resource) return {}
  const columns: Readonly<Record<string, readonly [column: string, type: string]>> = resource.relation.columns
  const open = Object.entries(resource.members).filter(([, { secret }]) => !secret)
  return Object.fromEntries(
    open.flatMap(([name, { of, form }]) => {
      const sides = held[columns[of]?.[0] ?? of]
      const [wasThere, isThere] = [action !== 'create' && action !== 'restore', action !== 'delete']
      return sides ? [[name, { from: wasThere ? form.show(sides.from) : null, to: isThere ? form.show(sides.to) : null }]] : []
    }),
  )
}
