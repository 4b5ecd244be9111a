import { rightsOn, type Caller } from '../../store/model/access.ts'
import { rightNames, type Right } from '../../store/model/rights.ts'
import type { Store } from '../../store/ground/store.ts'
import { fieldsOf } from '../../store/structure/fields.ts'
import { createTable, deleteTable, tables, updateTable, type OfFields, type TableInfo } from '../../store/structure/tables.ts'
import { effectsOfTable } from '../../store/structure/deletion-effects.ts'
import { boolean, idList, integer, string, textsById } from './forms.ts'
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

/** The linkage of the relationship `fields`. */
export const fieldsLinkage = (fields: readonly { readonly id: number }[]) => ({
  data: fields.map(({ id }) => ({ type: 'field', id: String(id) })),
})

export const table = defineResource<TableInfo, OfFields>({
  type: 'table',
  token: 'tables',
  plural: 'the tables',
  relation: tables,
  members: {
    table_name: { of: 'title', form: string, required: true, says: 'Its name.' },
    category_id: { of: 'categoryId', form: integer, says: 'Its [category](categories.md); 0: none.' },
    category_sequence_number: { of: 'sequence', form: integer, says: 'Its position in the category: smaller numbers first.' },
    full_name: { of: 'fullName', form: string, says: 'A longer name; may be empty.' },
    title_field_id: {
      of: 'titleFieldId',
      form: integer,
      says: 'The field whose value is shown as the title of a record; 0: the first text field.',
    },
    unique_field_names: {
      of: 'uniqueFieldNames',
      form: boolean,
      ifAsked: true,
      says: 'Shown where `fields[table]` names it. Whether no two of its fields may have the same name; upper and lower case do not count. Default: they may. It is refused where names repeat (`table.field_names_repeat`).',
    },
    field_order: {
      of: 'fieldOrder',
      form: idList,
      secret: true,
      says: 'Sent on change only: the ids of all fields of the table, each once, in their new order. `sequence_number` of the fields becomes 1, 2, 3 ….',
    },
    field_sections: {
      of: 'fieldSections',
      form: textsById,
      set: 'later',
      secret: true,
      says: 'The sections of some of its fields, by the ids of the fields: `{"12": "Contacts", "13": "Contacts"}`. All of them are set, or none.',
    },
  },
  meta: (store, caller, { id }) => ({ access: accessMeta(store, caller, id) }),
  relationships: async (store, caller, { id }) => ({ fields: fieldsLinkage(await fieldsOf(store, caller, id)) }),
  create: administrators('create tables', createTable),
  update: administrators('change tables', updateTable, ['table.field_names_repeat']),
  remove: administrators('delete tables', deleteTable),
  foretell: effectsOfTable,
})
