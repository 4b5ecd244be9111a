import { copyTable } from '../../documents/structure/copy-table.ts'
import { fieldType, fieldTypes } from '../../fields/index.ts'
import { effectsOfField, effectsOfTable } from '../../store/structure/deletion-effects.ts'
import { createField, deleteField } from '../../store/structure/fields.ts'
import { createTable, deleteTable, recordCounts } from '../../store/structure/tables.ts'
import { command, count, jsonOption, many, mustGoOn, show, text } from '../contract/command.ts'
import { UsageError } from '../explain/explain.ts'
import { dryRunOption, tellEffects } from '../contract/tell-effects.ts'
import { findTable } from '../contract/find-table.ts'

const tableArgument = { name: 'table', says: 'id or name of the table' }

export const listTables = command({
  name: 'table list',
  says: 'Lists all tables.',
  args: [],
  options: [jsonOption],
  begins: false,
  async run(context) {
    const records = await recordCounts(context.store)
    const tables = [...context.store.catalogue().tables.values()]
    await show(
      context,
      tables.map(({ id, title, fields }) => ({ id, name: title, fields: fields.length, records: records.get(id) ?? 0 })),
    )
    return 0
  },
})

export const showTable = command({
  name: 'table show',
  says: 'Lists the fields of a table.',
  args: [tableArgument],
  options: [jsonOption],
  begins: false,
  async run(context) {
    const { fields } = findTable(context.store, context.args['table']!)
    await show(
      context,
      fields.map(({ name, title, type, settings }) => ({
        attribute: name,
        name: title,
        type: type.name,
        required: settings.required ? 'yes' : '',
        unique: settings.unique ? 'yes' : '',
        more: [
          settings.referenceTableId && `table ${settings.referenceTableId}`,
          settings.options
            ?.filter(({ removed }) => !removed)
            .map(({ label }) => label)
            .join(', '),
        ]
          .filter(Boolean)
          .join(' '),
      })),
    )
    return 0
  },
})

export const createTableCommand = command({
  name: 'table create',
  says: 'Creates a table and prints its id.',
  args: [{ name: 'name', says: 'name of the table' }],
  options: [],
  begins: false,
  async run(context) {
    await context.output.line(String(await createTable(context.store, context.by, { title: context.args['name']! })))
    return 0
  },
})

export const copyTableCommand = command({
  name: 'table copy',
  says: 'Copies a table with its fields and rules of access, and prints the id of the copy.',
  args: [tableArgument, { name: 'name', says: 'name of the copy; default: that of the table and (copy)', optional: true }],
  options: [
    { flags: '--with-records', says: 'the records too, with their files, under the same ids' },
    { flags: '--with-views', says: 'the shared filters and views too' },
  ],
  begins: false,
  async run(context) {
    const { store, by, args, options, output } = context
    const title = args['name']
    const { id, records } = await copyTable(store, by, findTable(store, args['table']!).id, {
      ...(title !== undefined && { values: { title } }),
      withRecords: options['withRecords'] === true,
      withViews: options['withViews'] === true,
      async progress(done) {
        mustGoOn(context)
        await output.progress('records', done)
      },
    })
    if (options['withRecords'] === true) await output.note(`${records} records copied`)
    await output.line(String(id))
    return 0
  },
})

export const deleteTableCommand = command({
  name: 'table delete',
  says: 'Moves a table with its records to the trash.',
  args: [tableArgument],
  options: [dryRunOption],
  begins: false,
  async run(context) {
    const { store, by, args, options } = context
    const { id } = findTable(store, args['table']!)
    if (options['dryRun'] === true) return tellEffects(context, await effectsOfTable(store, by, id))
    await deleteTable(store, by, id)
    return 0
  },
})

export const createFieldCommand = command({
  name: 'field create',
  says: 'Creates a field and prints its attribute name.',
  args: [tableArgument, { name: 'name', says: 'name of the field' }, { name: 'type', says: 'type of the field, such as text' }],
  options: [
    { flags: '--required', says: 'the field must have a value' },
    { flags: '--unique', says: 'no two records have the same value' },
    { flags: '--default <value>', says: 'default value of new records' },
    { flags: '--option <label>', says: 'an option of a list', many: true },
    { flags: '--reference <table>', says: 'table to which a reference refers' },
    { flags: '--scale <digits>', says: 'digits after the point of a decimal' },
  ],
  begins: false,
  async run(context) {
    const { store, by, args, options } = context
    if (!fieldType(args['type']!))
      throw new UsageError(`There is no field type '${args['type']}'. Types: ${fieldTypes.map((one) => one.name).join(', ')}.`)
    const reference = text(context, 'reference')
    const scale = count(context, 'scale', 0)
    const labels = many(context, 'option')
    const id = await createField(store, by, {
      tableId: findTable(store, args['table']!).id,
      title: args['name']!,
      typeName: args['type']!,
      required: options['required'] === true,
      unique: options['unique'] === true,
      defaultValue: text(context, 'default') ?? '',
      ...(scale !== undefined && { scale }),
      ...(reference !== undefined && { referenceTableId: findTable(store, reference).id }),
      ...(labels.length > 0 && { options: labels.map((label) => ({ label })) }),
    })
    await context.output.line(`f${id}`)
    return 0
  },
})

export const deleteFieldCommand = command({
  name: 'field delete',
  says: 'Moves a field with its values to the trash.',
  args: [{ name: 'attribute', says: 'attribute name, such as f12' }],
  options: [dryRunOption],
  begins: false,
  async run(context) {
    const id = Number(/^f?(\d+)$/.exec(context.args['attribute']!)?.[1])
    if (!id) throw new UsageError(`'${context.args['attribute']}' is not the name of a field, such as f12.`)
    if (context.options['dryRun'] === true) return tellEffects(context, await effectsOfField(context.store, context.by, id))
    await deleteField(context.store, context.by, id)
    return 0
  },
})
