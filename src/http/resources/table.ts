import { rightsOn, type Caller } from '../../store/model/access.ts'
import { rightNames, type Right } from '../../store/model/rights.ts'
import type { Store } from '../../store/ground/store.ts'
import { createTable, deleteTable, tables, updateTable, type TableInfo } from '../../store/structure/tables.ts'
import { integer, string } from './forms.ts'
import { administrators, defineResource } from './resource.ts'

/** The wire names of the rights; `standart_template` is spelled as in interface 10.2. */
export const wireRights = {
  create: 'create',
  read: 'read',
  update: 'update',
  delete: 'delete',
  archive: 'archive',
  bulk: 'bed',
  print: 'print',
  sms: 'sms',
  send: 'send',
  freeSmsTemplate: 'free_sms_template',
  freeMailTemplate: 'free_mail_template',
  standardTemplate: 'standart_template',
} as const satisfies Record<Right, string>

/** What the caller may do with a table: interface 10.2. */
export function accessMeta(store: Store, caller: Caller, tableId: number): Record<string, boolean> {
  const held = rightsOn(tableId, caller, store.catalogue())
  return Object.fromEntries(rightNames.map((right) => [wireRights[right], held.has(right)]))
}

export const table = defineResource<TableInfo>({
  type: 'table',
  token: 'tables',
  plural: 'the tables',
  relation: tables,
  members: {
    table_name: { of: 'title', form: string, required: true },
    category_id: { of: 'categoryId', form: integer },
    category_sequence_number: { of: 'sequence', form: integer },
    full_name: { of: 'fullName', form: string },
    title_field_id: { of: 'titleFieldId', form: integer },
  },
  meta: (store, caller, { id }) => ({ access: accessMeta(store, caller, id) }),
  create: administrators('create tables', createTable),
  update: administrators('change tables', updateTable),
  remove: administrators('delete tables', deleteTable),
})
