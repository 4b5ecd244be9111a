import { typeSettingRows } from '../../fields/field-type.ts'
import { fieldRows } from '../../store/structure/field-rows.ts'
import { createField, deleteField, optionsShown } from '../../store/structure/fields.ts'
import type { RequestedOption } from '../../store/structure/field-options.ts'
import type { FieldInfo } from '../../store/structure/field-settings.ts'
import { boolean, bound, integer, optionalInteger, options, string, strings } from './forms.ts'
import { administrators, defineResource } from './resource.ts'

/** Of the settings that only some types know. */
const forms = { number: optionalInteger, id: optionalInteger, bound, words: strings, options } as const

export const field = defineResource<FieldInfo, { readonly options?: readonly RequestedOption[] }>({
  type: 'field',
  token: 'tables',
  plural: 'the fields of the tables',
  relation: fieldRows,
  members: {
    table_id: { of: 'tableId', form: integer, required: true, set: 'once' },
    int_name: { of: 'intName', form: string, set: 'never' },
    field_name: { of: 'title', form: string, required: true },
    field_type: { of: 'typeName', form: string, required: true },
    sequence_number: { of: 'sequence', form: integer },
    required: { of: 'required', form: boolean },
    unique: { of: 'unique', form: boolean },
    default_value: { of: 'defaultValue', form: string },
    hint: { of: 'hint', form: string },
    ...Object.fromEntries(typeSettingRows.map(([of, { name, holds }]) => [name, { of, form: forms[holds] }])),
  },
  complete: (store, row) => ({ ...row, options: optionsShown(store, row) }),
  create: administrators('create fields', createField),
  remove: administrators('delete fields', deleteField),
})
