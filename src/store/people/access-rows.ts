import type { Sql } from '../../sql/sql.ts'
import { inList, nothing } from '../catalogue/visible.ts'
import { relation } from '../ground/relation.ts'
import type { Uses } from '../ground/store.ts'
import type { Caller } from '../model/access.ts'
import type { WrittenFieldRights } from '../model/field-rights.ts'
import { eachRight, rights, type Right } from '../model/rights.ts'

/** An access rule: what one group may do with one table. */
export interface AccessRule extends Readonly<Record<Right, boolean>> {
  readonly id: number
  readonly groupId: number
  readonly tableId: number
  readonly readFilter: string
  readonly writeFilter: string
  /** Rules of earlier versions have the ids of fields without the f. */
  readonly fields: WrittenFieldRights | null
  /** The group sees id and name of the users who are not archived. */
  readonly assignable: boolean
}

export const accessRules = relation<AccessRule>(
  'access',
  {
    id: ['id', 'integer'],
    groupId: ['group_id', 'integer'],
    tableId: ['table_id', 'integer'],
    ...eachRight((right) => [rights[right].column, 'boolean'] as const),
    readFilter: ['read_filter', 'longtext'],
    writeFilter: ['write_filter', 'longtext'],
    fields: ['fields', 'json'],
    assignable: ['assignable', 'boolean'],
  },
  visibleRules,
)

/** Only administrators see rules: a filter in one may contain values that it hides. */
export function visibleRules(store: Uses<'db' | 'catalogue'>, caller: Caller): Sql {
  return caller.administrator ? inList(store.db.dialect, 'table_id', [...store.catalogue().tables.keys()]) : nothing
}
