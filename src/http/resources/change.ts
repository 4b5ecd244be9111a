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
    table_id: {
      of: 'tableId',
      form: integer,
      set: 'never',
      says: 'The table of the record; 0: a change of a table, a field, a user or another resource of the service.',
    },
    record_id: { of: 'recordId', form: integer, set: 'never', says: 'The record, or with the table 0 the resource.' },
    resource_type: {
      of: 'resourceType',
      form: string,
      set: 'never',
      says: 'With the table 0 the type of the resource: `table`, `field`, `user` …; else empty.',
    },
    action: {
      of: 'action',
      form: string,
      set: 'never',
      says: '`create`, `update`, `delete` (to the trash), `restore`, `convert` (a field got another type) or `erase`.',
    },
    user_id: { of: 'userId', form: integer, set: 'never', says: 'The user who did it; 0: the command line, or the service.' },
    token_id: { of: 'tokenId', form: integer, set: 'never', says: 'The token with which it was done; 0: none.' },
    via: {
      of: 'via',
      form: string,
      set: 'never',
      says: '`api`, `page`, `import`, `cli`, `undo`, `conversion` or `service` (what was erased because of its age).',
    },
    batch_id: { of: 'batchId', form: integer, set: 'never', says: 'The id of the first change of the same request, import or command.' },
    made_at: { of: 'madeAt', form: string, set: 'never', says: 'Time of the change.' },
    changes: {
      of: 'changes',
      form: asIs,
      set: 'never',
      says: 'By attribute, its value before (`from`) and after (`to`), as records show it, or the resource; null: it was not there. Attributes that are empty on both sides are left out, and with `restore` those of which the values may be long. In lists, null where the values are long: read the change by its id.',
    },
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
