import type { Page } from '../play.ts'

const document = (attributes: object, id?: string) => ({ data: { type: 'field', ...(id && { id }), attributes } })

export const fields: Page = {
  file: 'fields',
  title: 'Fields',
  says: `A field is an attribute of the records of one table. Field 12 is the attribute \`f12\`. The values and settings of all types:
[field types](../fields.md); how to work with them: [tables and fields](../guides/tables-and-fields.md).`,
  attributesOf: 'field',
  endpoints: [
    {
      route: 'POST /api/dev/field',
      title: 'Create a field',
      who: 'administrators.',
      shows: [
        {
          says: 'A list with its options:',
          path: 'field',
          body: document({
            table_id: 1,
            field_name: 'Rating',
            field_type: 'list',
            options: ['cold', 'warm', 'hot'],
            default_value: 'cold',
          }),
        },
        {
          says: 'A reference to one record of table 1:',
          path: 'field?fields[field]=int_name,field_type,reference_table_id',
          body: document({ table_id: 2, field_name: 'Company', field_type: 'reference', reference_table_id: 1, required: true }),
        },
        {
          says: 'An amount with two decimals that is never negative:',
          path: 'field?fields[field]=int_name,field_type,scale,min',
          body: document({ table_id: 2, field_name: 'Amount', field_type: 'decimal', scale: 2, min: '0' }),
        },
        {
          says: 'Files: at most three PDF or text files of up to 5 MB each:',
          path: 'field?fields[field]=int_name,file_extensions,max_files,max_kilobytes',
          body: document({
            table_id: 1,
            field_name: 'Contracts',
            field_type: 'file',
            file_extensions: ['pdf', 'txt'],
            max_files: 3,
            max_kilobytes: 5000,
          }),
        },
      ],
      refuses: [
        [
          'there is no such type',
          { path: 'field', body: document({ table_id: 1, field_name: 'X', field_type: 'colour' }), code: 'field.invalid_value' },
        ],
        [
          'a list has no options',
          { path: 'field', body: document({ table_id: 1, field_name: 'X', field_type: 'list' }), code: 'field.invalid_value' },
        ],
        [
          'the type does not have this setting',
          { path: 'field', body: document({ table_id: 1, field_name: 'X', field_type: 'date', scale: 2 }), code: 'field.invalid_value' },
        ],
      ],
    },
    {
      route: 'GET /api/dev/field',
      title: 'List fields',
      who: 'everybody; fields that are hidden from the caller are left out.',
      before: [
        { path: 'field', body: document({ table_id: 1, field_name: 'Phone', field_type: 'phone' }) },
        { path: 'field', body: document({ table_id: 2, field_name: 'Closes', field_type: 'date' }) },
        { path: 'field', body: document({ table_id: 3, field_name: 'Year', field_type: 'text' }) },
        { path: 'field', body: document({ table_id: 3, field_name: 'Remark', field_type: 'longtext' }) },
      ],
      shows: [{ path: 'field?filter=eq(table_id,1)&sort=sequence_number&fields[field]=int_name,field_name,field_type' }],
    },
    {
      route: 'GET /api/dev/field/{id}',
      title: 'Read a field',
      who: 'everybody, except users from whom the field is hidden.',
      shows: [{ path: 'field/2' }],
      refuses: [['there is none, or none for the caller', { path: 'field/99', code: 'resource.not_found' }]],
    },
    {
      route: 'PATCH /api/dev/field/{id}',
      title: 'Change a field',
      who: 'administrators.',
      notes:
        'A change of `field_type` or `scale` converts the values of all records in one transaction, those in the trash included. With `asJob=true`, a job of the kind `convert` does it, and others write meanwhile: for tables of more than some 100,000 records. See [jobs](../jobs.md#kinds).\n\nWith `dryRun=true` nothing is changed, and the request is refused where the change would be, except for its values. `meta` has `converted`: the values, also of records in the trash, that become those of another type; `lost`: how many of them lose something; up to ten `examples_lost` and `examples` of others; `written`: how all texts of the field are read, where that is not as requests send them (each value is among `examples_lost` once, with the first record that holds it); and `removed_options`: options that would go, each with the number of records that hold it and keep it. Whether the new values would repeat in a unique field is not looked at.\n\nWith `reference_by`, a field becomes a `reference` or `references` by the values of a unique field: each value becomes the record of `reference_table_id` that holds it there, compared as `unique` compares, without regard to case and not to spaces. A value that no record holds is lost; records in the trash hold none. Of a `multilist` each option is looked for, and each line of a `longtext` that becomes `references`. Fields of files, and those that hold ids already, are refused. The [guide](../guides/tables-and-fields.md#changing-the-type-of-a-field) shows it.',
      before: [{ path: 'data3', body: { data: { type: 'data3', attributes: { f8: 'about 1990' } } } }],
      shows: [
        {
          says: 'Rename an option and add another one. Records with option 3 now show `very hot`:',
          path: 'field/2?fields[field]=options',
          body: document({ options: [{ id: 1, label: 'cold' }, { id: 2, label: 'warm' }, { id: 3, label: 'very hot' }, 'lost'] }, '2'),
        },
        {
          says: 'Add options to those that there are, whatever others add at the same time; one that is there is not added again:',
          path: 'field/2?fields[field]=options',
          body: document({ add_options: ['paused', 'Warm'] }, '2'),
        },
        {
          says: 'What a change of type would convert and lose:',
          path: 'field/8?dryRun=true',
          body: document({ field_type: 'integer' }, '8'),
        },
        {
          says: 'A change of type that would lose values is refused; `meta` has examples:',
          path: 'field/8',
          body: document({ field_type: 'integer' }, '8'),
          status: 409,
        },
        {
          says: 'The same with `convertMode=lossy`: the value that is not a number becomes empty.',
          path: 'field/8?convertMode=lossy&fields[field]=int_name,field_type',
          body: document({ field_type: 'integer' }, '8'),
        },
      ],
      refuses: [
        ['the table is changed', { path: 'field/2', body: document({ table_id: 2 }, '2'), code: 'attribute.read_only' }],
        [
          'the field of `reference_by` is not unique, or not of that table',
          {
            path: 'field/8',
            body: document({ field_type: 'reference', reference_table_id: 1, reference_by: 2 }, '8'),
            code: 'field.invalid_value',
          },
        ],
      ],
    },
    {
      route: 'DELETE /api/dev/field/{id}',
      title: 'Delete a field',
      who: 'administrators.',
      notes:
        'The field is moved to the [trash](trash.md) with its values. With `dryRun=true` nothing is deleted, and `meta` has the same members as that of [a table](tables.md#delete-a-table). The rules of access of its table that name it come first, each with its group (`group_id`) and where it names the field (`named_in`: `read_filter`, `write_filter`, `fields`); a change of its type may change what such a filter selects. Of a list, all that it names tells with which options their filters compare it (`options`, by their ids).',
      shows: [{ path: 'field/9' }],
      refuses: [['there is none', { path: 'field/9', code: 'resource.not_found' }]],
    },
  ],
}
