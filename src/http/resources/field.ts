import { typeSettingRows } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import type { Store } from '../../store/ground/store.ts'
import { view, type Caller } from '../../store/model/access.ts'
import { fieldRows } from '../../store/structure/field-rows.ts'
import { createField, deleteField, optionsShown } from '../../store/structure/fields.ts'
import { effectsOfField } from '../../store/structure/deletion-effects.ts'
import type { RequestedOption } from '../../store/structure/field-options.ts'
import type { FieldInfo } from '../../store/structure/field-settings.ts'
import { boolean, bound, integer, optionalInteger, options, string, strings } from './forms.ts'
import { administrators, defineResource } from './resource.ts'

/** Of the settings that only some types know. */
const forms = { number: optionalInteger, id: optionalInteger, bound, words: strings, options } as const

export const field = defineResource<
  FieldInfo,
  { readonly options?: readonly RequestedOption[]; readonly addedOptions?: readonly string[]; readonly referenceBy?: number | null }
>({
  type: 'field',
  token: 'tables',
  plural: 'the fields of the tables',
  relation: fieldRows,
  members: {
    table_id: { of: 'tableId', form: integer, required: true, set: 'once', says: 'Its table.' },
    int_name: { of: 'intName', form: string, set: 'never', says: 'The attribute of the records, `f<id>`.' },
    field_name: { of: 'title', form: string, required: true, says: 'Its name, shown to users.' },
    field_type: {
      of: 'typeName',
      form: string,
      required: true,
      says: 'One of the [types](../fields.md). A change converts the values of all records.',
    },
    sequence_number: { of: 'sequence', form: integer, says: 'Its position in the table: smaller numbers first.' },
    required: {
      of: 'required',
      form: boolean,
      says: 'Records must have a value. Numbers and booleans must be sent on create; 0 is a value.',
    },
    unique: {
      of: 'unique',
      form: boolean,
      says: 'No two records have the same value. Empty values and records in the trash do not count.',
    },
    default_value: { of: 'defaultValue', form: string, says: 'The value of new records if none is sent, as text.' },
    hint: { of: 'hint', form: string, says: 'An explanation for users who fill it in.' },
    section: {
      of: 'section',
      form: string,
      says: 'The heading under which a record shows it, at most 255 characters; empty: none. Fields without one come first, then the sections in the order of their first fields.',
    },
    ...Object.fromEntries(typeSettingRows.map(([of, { name, holds, says }]) => [name, { of, form: forms[holds], says }])),
    add_options: {
      of: 'addedOptions',
      form: strings,
      set: 'later',
      secret: true,
      says: 'Labels that the options get behind those that they have. A label that is there, in whatever case, is not added again; others may add options at the same time, and none gets lost.',
    },
    reference_by: {
      of: 'referenceBy',
      form: optionalInteger,
      set: 'later',
      secret: true,
      says: 'Where the field becomes a `reference` or `references`: the id of a unique field of the other table, whose values the values of this field are. Without it they are ids of records.',
    },
  },
  complete: (store, row) => ({ ...row, options: optionsShown(store, row) }),
  meta: (store, caller, row) => ({ access: { update: mayBeSet(store, caller, row) } }),
  create: administrators('create fields', createField, [
    'table.not_found',
    'field.name_taken',
    'table.too_many_fields',
    'table.no_columns_left',
  ]),
  remove: administrators('delete fields', deleteField, ['field.in_use']),
  foretell: effectsOfField,
})

/** Whether the caller may set the field, in records that they may write. */
function mayBeSet(store: Store, caller: Caller, { tableId, typeName, intName }: FieldInfo): boolean {
  const catalogue = store.catalogue()
  const table = catalogue.tables.get(tableId)
  if (!table || fieldType(typeName)?.assigned) return false
  const { rights, readOnly } = view(table, caller, catalogue)
  return (rights.has('create') || rights.has('update')) && !readOnly.has(intName)
}
