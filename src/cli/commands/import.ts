import type { CsvFile } from '../../transfer/read-csv.ts'
import type { BadLine, ImportCounts } from '../../transfer/import-lines.ts'
import type { ImportOptions, Intended } from '../../transfer/intend.ts'
import type { LinesAre } from '../../transfer/kept-ids.ts'
import type { FileSaid, OpenFile } from '../../transfer/open-file.ts'
import type { Administrator } from '../../store/catalogue/administrator.ts'
import { sharedBatch } from '../../store/changes/batches.ts'
import type { Store, Uses } from '../../store/ground/store.ts'
import { command, many, mustGoOn, text, type Context, type Typed } from '../contract/command.ts'
import { UsageError } from '../explain/explain.ts'
import { findTable } from '../contract/find-table.ts'
import { dateOrder, type KnownWriting } from '../../fields/readers.ts'
import { csvLine } from '../../transfer/formulas.ts'

export const importFile = command({
  name: 'import',
  says: 'Imports a CSV file, JSON lines (.jsonl) or a workbook (.xlsx) into a table.',
  args: [
    { name: 'table', says: 'id or name of the table; with --create the name of the new one' },
    {
      name: 'file',
      says: 'CSV file or workbook with the names of the columns in the first line, or JSON lines; - for standard input',
      file: true,
    },
  ],
  options: [
    { flags: '--create', says: 'create the table; guess the types of its fields' },
    { flags: '--dry-run', says: 'show what the import would do, and change nothing' },
    {
      flags: '--map <column=field>',
      says: 'import a column into a field with another name; with nothing after = the column is skipped',
      many: true,
    },
    { flags: '--type <column=type>', says: 'with --create: the type of a field, instead of the guessed one', many: true },
    { flags: '--unique <column>', says: 'with --create: make the field unique', many: true },
    { flags: '--reference <column=Table.Field>', says: 'the column refers to records by their value in a unique field', many: true },
    { flags: '--keep-ids', says: 'records get the ids of the column id; the table must be new, or never have had a record' },
    { flags: '--update-by <field>', says: 'lines whose value in this unique field is that of a record change it; the others make records' },
    { flags: '--null <text>', says: 'text that means no value; in JSON lines, null alone does', byDefault: 'NULL' },
    { flags: '--delimiter <character>', says: 'character between values; default: found from the first line' },
    { flags: '--encoding <name>', says: 'encoding of the file, such as utf-8 or windows-1251; default: found from its first bytes' },
    { flags: '--date-format <pattern>', says: 'how dates are written, such as DD.MM.YYYY or MM/DD/YY; default: found from the values' },
    { flags: '--decimal <sign>', says: 'decimal sign of numbers, . or ,; default: found from the values' },
    { flags: '--sheet <name>', says: 'sheet of a workbook; default: the first one that is shown' },
    { flags: '--defused', says: 'the file was written by export --defuse: remove its apostrophes' },
    { flags: '--errors <file>', says: 'file that lists refused lines with the reasons; default: <file>.errors.csv' },
  ],
  files: (typed) => ({ errors: errorsFile(typed) }),
  begins: ({ create, dryRun }) => create === true && dryRun !== true,
  async run(context) {
    const { Unreadable } = await import('../../transfer/read-csv.ts')
    const { Unfit } = await import('../../transfer/unfit.ts')
    const { openFile } = await import('../../transfer/open-file.ts')
    try {
      const opened = await openFile(context.store.files, context.input!, saidOf(context), context.ended)
      try {
        return await importOpened(context, opened)
      } finally {
        await opened.close()
      }
    } catch (error) {
      mustGoOn(context)
      throw error instanceof Unfit || error instanceof Unreadable ? new UsageError(sentenceOf(error)) : error
    }
  },
})

/** What is said of the file. */
function saidOf(context: Context): FileSaid {
  const [sheet, delimiter, encoding] = [text(context, 'sheet'), text(context, 'delimiter'), text(context, 'encoding')]
  return {
    ...(sheet !== undefined && { sheet }),
    ...(encoding !== undefined && { encoding }),
    defused: context.options['defused'] === true,
    ...(delimiter !== undefined && { delimiter: delimiter === '\\t' ? '\t' : delimiter }),
  }
}

/** What was wrong, with the flag that mends it. */
const sentenceOf = ({ message, typed }: { readonly message: string; readonly typed: string }): string =>
  typed === '' ? message : `${message} ${typed}`

async function importOpened(context: Context, opened: OpenFile): Promise<number> {
  const { intend, mustBringSomething } = await import('../../transfer/intend.ts')
  const { linesAre } = await import('../../transfer/kept-ids.ts')
  const { carryOut } = await import('../../transfer/make-plan.ts')
  const { peek } = await import('../../transfer/open-file.ts')
  const { listGrower } = await import('../../transfer/list-options.ts')
  const { Unreadable } = await import('../../transfer/read-csv.ts')
  const { store, args, options, output } = context
  const batch = sharedBatch()
  const by: Administrator = { ...context.by, door: 'import', batch }
  const { settings, admitWriter } = store
  const title = args['table']!
  const tableId = options['create'] === true ? undefined : findTable(store, title).id
  const { csv, workbook } = opened
  const asked = await importOptions(context, csv)
  const { sample, all, isWhole } = await peek(csv)
  const intended = intend(store, by, tableId, title, csv, sample, asked)
  const lines = await linesAre(store, by, tableId, intended, linesOf(context))
  if (csv.encoding !== 'utf-8' && text(context, 'encoding') === undefined)
    await output.note(`The file is read as ${csv.encoding}; --encoding names another encoding.`)
  for (const one of intended) await output.note(lines.ids?.index === one.index ? `  ${one.header}: ids of the records` : tell(store, one))
  mustBringSomething(intended, lines)
  if (options['dryRun'] === true) return 0
  const made = await carryOut(store, by, tableId, title, intended, asked.nothing)
  const plan = { ...made, ...lines }
  const lists = listGrower(store, by, plan)
  const report = tellBad(context)
  const progress = (now: ImportCounts, read: number) =>
    output.progress(
      `${now.imported} imported, ${now.bad} bad`,
      workbook ? now.read : read,
      workbook ? undefined : context.inputSize || undefined,
    )
  const inThread = async (writer: Pick<Store, 'settings'> & { admitWriter: NonNullable<Store['admitWriter']> }) => {
    return aside(writer, by, plan, opened.options, await opened.source(), report, progress, lists.grow, undefined, context.ended)
  }
  const counts =
    isWhole || !admitWriter ? await here(store, by, plan, all, report, progress, lists.grow) : await inThread({ settings, admitWriter })
  const refusals = await lists.finish()
  const { imported, updated = 0 } = counts
  const written = lines.updateBy === undefined ? `${imported} imported` : `${imported - updated} created, ${updated} updated`
  await output.line(
    `${counts.read} lines read: ${written}, ${counts.bad} bad${counts.incomplete > 0 ? `, ${counts.incomplete} without a reference` : ''}`,
  )
  if (counts.imported > 0) await output.note(`batch ${batch.id[0]}; take it back with: kartoteka undo ${batch.id[0]}`)
  for (const refusal of refusals) await output.note(refusal)
  const faults = counts.bad + counts.incomplete
  if (faults > 0) await output.note(`The reasons are in ${errorsFile(context)}`)
  if (counts.stopped === undefined) return faults > 0 || refusals.length > 0 ? 1 : 0
  await output.note('The import stopped before the end of the file.')
  mustGoOn(context)
  if (!(counts.stopped instanceof Unreadable)) throw counts.stopped
  await output.note(sentenceOf(counts.stopped))
  return 1
}

/** Imports a short file in this thread. */
const here: typeof import('../../transfer/import-lines.ts').importLines = async (...given) =>
  (await import('../../transfer/import-lines.ts')).importLines(...given)

const aside: typeof import('../../transfer/import-aside.ts').importAside = async (...given) =>
  (await import('../../transfer/import-aside.ts')).importAside(...given)

async function importOptions(context: Context, { header, json }: CsvFile): Promise<ImportOptions> {
  const { columnTyped } = await import('../../transfer/headers.ts')
  const { noFields } = await import('../../transfer/kept-ids.ts')
  const { namingField } = await import('../../transfer/named-records.ts')
  const pairs = (option: string) =>
    new Map(
      many(context, option).map((pair): [string, string] => {
        const [, column, value] = /^(.+?)=(.*)$/s.exec(pair) ?? []
        if (column === undefined) throw new UsageError(`--${option} takes column=value, not '${pair}'.`)
        return [columnTyped(header, column), value!]
      }),
    )
  return {
    map: new Map([...noFields(linesOf(context), header).map((name): [string, string] => [name, '']), ...pairs('map')]),
    types: pairs('type'),
    references: new Map([...pairs('reference')].map(([header, named]) => [header, namingField(named)])),
    unique: new Set(many(context, 'unique').map((column) => columnTyped(header, column))),
    nothing: json === true ? '' : text(context, 'null')!,
    writing: writingAsked(context),
  }
}

function linesOf(context: Context): LinesAre {
  const updateBy = text(context, 'updateBy')
  return { keepIds: context.options['keepIds'] === true, ...(updateBy !== undefined && { updateBy }) }
}

/** @throws UsageError */
function writingAsked(context: Context): KnownWriting {
  const [pattern, decimal] = [text(context, 'dateFormat'), text(context, 'decimal')]
  if (decimal !== undefined && decimal !== '.' && decimal !== ',') throw new UsageError(`--decimal takes . or ,, not '${decimal}'.`)
  const dates = pattern === undefined ? undefined : dateOrder(pattern)
  if (pattern !== undefined && !dates)
    throw new UsageError(`--date-format takes a pattern such as DD.MM.YYYY, MM/DD/YYYY or YYYY/MM/DD, not '${pattern}'.`)
  return { dates, decimal }
}

function tell(store: Uses<'catalogue'>, { header, becomes, names, written }: Intended): string {
  if (!becomes) return `  ${header}: left out`
  const by = names && (typeof names.by === 'string' ? names.by : names.by.title)
  const link = names
    ? `, by ${by!} of ${names.tableId === 'itself' ? 'the same table' : store.catalogue().tables.get(names.tableId)!.title}`
    : ''
  const how = writtenHow(written)
  if ('attribute' in becomes) return `  ${header}: ${becomes.title} (${becomes.attribute})${link}${how}`
  const { makes, type, listType, scale, unique } = becomes
  return `  ${header}: new field ${makes}, ${listType ?? type}${scale === undefined ? '' : ` with ${scale} digits`}${unique ? ', unique' : ''}${link}${how}`
}

/** How values are read that are not written as requests send them. */
function writtenHow(written: Intended['written']): string {
  if (written === undefined) return ''
  if (written === 'ambiguous') return '; which way its dates or numbers are written is not to be told: say --date-format or --decimal'
  if (written.as === 'truth') return ', written as yes and no'
  if (written.as === 'number') return `, written with a decimal ${written.decimal === ',' ? 'comma' : 'point'}`
  const year = written.shortYears === true ? 'YY' : 'YYYY'
  return `, written as ${{ dmy: `DD.MM.${year}`, mdy: `MM/DD/${year}`, ymd: `${year}/MM/DD` }[written.order]}`
}

/** Where bad lines are reported. */
const errorsFile = (typed: Typed): string =>
  text(typed, 'errors') ?? `${typed.args['file'] === '-' ? 'import' : typed.args['file']}.errors.csv`

/** Writes bad lines into a CSV file. */
function tellBad({ output }: Context): (bad: BadLine) => Promise<void> {
  let begun = false
  return async ({ line, column, reason }) => {
    const head = begun ? '' : 'line,column,reason\n'
    begun = true
    await output.append('errors', head + csvLine([String(line), column, reason]))
  }
}
