import type { CsvFile, CsvOptions, Line } from './read-csv.ts'
import type { BadLine, ImportCounts } from './import-lines.ts'
import type { ImportOptions, Intended } from './make-plan.ts'
import type { Administrator } from '../../../store/catalogue/administrator.ts'
import { sharedBatch } from '../../../store/changes/batches.ts'
import type { Uses } from '../../../store/ground/store.ts'
import { command, many, text, type Context, type Typed } from '../../contract/command.ts'
import { UsageError } from '../../explain/explain.ts'
import { findTable } from '../../contract/find-table.ts'
import { defused } from '../../contract/formulas.ts'

/** Lines from which types are guessed, where there are so many. */
const SAMPLE = 1000

export const importFile = command({
  name: 'import',
  says: 'Imports a CSV file into a table.',
  args: [
    { name: 'table', says: 'id or name of the table; with --create the name of the new one' },
    { name: 'file', says: 'CSV file with the names of the columns in the first line; - for standard input', file: true },
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
    { flags: '--null <text>', says: 'text that means no value', byDefault: 'NULL' },
    { flags: '--delimiter <character>', says: 'character between values; default: found from the first line' },
    { flags: '--encoding <name>', says: 'encoding of the file, such as utf-8 or windows-1251', byDefault: 'utf-8' },
    { flags: '--defused', says: 'the file was written by export --defuse: remove its apostrophes' },
    { flags: '--errors <file>', says: 'file that lists refused lines with the reasons; default: <file>.errors.csv' },
  ],
  files: (typed) => ({ errors: errorsFile(typed) }),
  begins: ({ create, dryRun }) => create === true && dryRun !== true,
  async run(context) {
    const { readCsv, Unreadable } = await import('./read-csv.ts')
    const { Unfit } = await import('./make-plan.ts')
    try {
      const delimiter = text(context, 'delimiter')
      const options = {
        encoding: text(context, 'encoding')!,
        defused: context.options['defused'] === true,
        ...(delimiter !== undefined && { delimiter: delimiter === '\\t' ? '\t' : delimiter }),
      }
      const bytes = rereadable(context.input!)
      return await importCsv(context, await readCsv(bytes, options), bytes, options)
    } catch (error) {
      throw error instanceof Unfit || error instanceof Unreadable ? new UsageError(error.message) : error
    }
  },
})

async function importCsv(context: Context, csv: CsvFile, bytes: Rereadable, how: CsvOptions): Promise<number> {
  const { intend, carryOut } = await import('./make-plan.ts')
  const { listGrower } = await import('./list-options.ts')
  const { Unreadable } = await import('./read-csv.ts')
  const { store, args, options, output } = context
  const batch = sharedBatch()
  const by: Administrator = { ...context.by, door: 'import', batch }
  const { settings, admitWriter } = store
  const title = args['table']!
  const tableId = options['create'] === true ? undefined : findTable(store, title).id
  const asked = importOptions(context)
  const { sample, all, isWhole } = await peek(csv)
  const intended = intend(store, tableId, title, csv.header, sample, asked)
  for (const one of intended) await output.note(tell(store, one))
  if (options['dryRun'] === true) return 0
  const plan = await carryOut(store, by, tableId, title, intended, asked.nothing)
  const lists = listGrower(store, by, plan)
  const report = tellBad(context)
  const progress = (now: ImportCounts, read: number) =>
    output.progress(`${now.imported} imported, ${now.bad} bad`, read, context.inputSize || undefined)
  const counts =
    isWhole || !admitWriter
      ? await here(store, by, plan, all, report, progress, lists.grow)
      : await aside(
          { settings, admitWriter },
          batch,
          plan,
          { ...how, delimiter: csv.delimiter },
          bytes.again(),
          report,
          progress,
          lists.grow,
        )
  const refusals = await lists.finish()
  await output.line(
    `${counts.read} lines read: ${counts.imported} imported, ${counts.bad} bad${counts.incomplete > 0 ? `, ${counts.incomplete} without a reference` : ''}`,
  )
  if (counts.imported > 0) await output.note(`batch ${batch.id[0]}; take it back with: kartoteka undo ${batch.id[0]}`)
  for (const refusal of refusals) await output.note(refusal)
  const faults = counts.bad + counts.incomplete
  if (faults > 0) await output.note(`The reasons are in ${errorsFile(context)}`)
  if (counts.stopped === undefined) return faults > 0 || refusals.length > 0 ? 1 : 0
  await output.note('The import stopped before the end of the file.')
  if (!(counts.stopped instanceof Unreadable)) throw counts.stopped
  await output.note(counts.stopped.message)
  return 1
}

/** Imports a short file in this thread. */
const here: typeof import('./import-lines.ts').importLines = async (...given) => (await import('./import-lines.ts')).importLines(...given)

const aside: typeof import('./import-aside.ts').importAside = async (...given) => (await import('./import-aside.ts')).importAside(...given)

type Rereadable = AsyncIterable<Uint8Array> & { again(): AsyncIterator<Uint8Array> }

/** Bytes that can be read from the beginning once more. Only the bytes read before that are kept in memory. */
function rereadable(input: AsyncIterable<Uint8Array>): Rereadable {
  const rest = input[Symbol.asyncIterator]()
  let kept: Uint8Array[] | undefined = []
  return {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const { value, done } = await rest.next()
        if (done) return
        kept?.push(value)
        yield value
      }
    },
    async *again() {
      const first = kept ?? []
      kept = undefined
      yield* first
      for (;;) {
        const { value, done } = await rest.next()
        if (done) return
        yield value
      }
    },
  }
}

function importOptions(context: Context): ImportOptions {
  const pairs = (option: string) =>
    new Map(
      many(context, option).map((pair): [string, string] => {
        const [, column, value] = /^(.+?)=(.*)$/s.exec(pair) ?? []
        if (column === undefined) throw new UsageError(`--${option} takes column=value, not '${pair}'.`)
        return [column, value!]
      }),
    )
  return {
    map: pairs('map'),
    types: pairs('type'),
    references: pairs('reference'),
    unique: new Set(many(context, 'unique')),
    nothing: text(context, 'null')!,
  }
}

/** The first lines, and the whole file to be read again; `isWhole`: there are no other lines. */
async function peek(csv: CsvFile): Promise<{ sample: readonly Line[]; all: CsvFile; isWhole: boolean }> {
  const rest = csv.batches()
  const seen: (readonly Line[])[] = []
  let isWhole = false
  for (let lines = 0; lines < SAMPLE && !isWhole;) {
    const { value, done } = await rest.next()
    if (done) isWhole = true
    else {
      seen.push(value)
      lines += value.length
    }
  }
  return {
    isWhole,
    sample: seen.flat().slice(0, SAMPLE),
    all: {
      ...csv,
      async *batches() {
        yield* seen
        yield* rest
      },
    },
  }
}

function tell(store: Uses<'catalogue'>, { header, becomes, names }: Intended): string {
  if (!becomes) return `  ${header}: left out`
  const by = names && (typeof names.by === 'string' ? names.by : names.by.title)
  const link = names
    ? `, by ${by!} of ${names.tableId === 'itself' ? 'the same table' : store.catalogue().tables.get(names.tableId)!.title}`
    : ''
  if ('attribute' in becomes) return `  ${header}: ${becomes.title} (${becomes.attribute})${link}`
  const { makes, type, listType, scale, unique } = becomes
  return `  ${header}: new field ${makes}, ${listType ?? type}${scale === undefined ? '' : ` with ${scale} digits`}${unique ? ', unique' : ''}${link}`
}

/** Where bad lines are reported. */
const errorsFile = (typed: Typed): string =>
  text(typed, 'errors') ?? `${typed.args['file'] === '-' ? 'import' : typed.args['file']}.errors.csv`

/** Writes bad lines into a CSV file. */
function tellBad({ output }: Context): (bad: BadLine) => Promise<void> {
  const quoted = (value: string) => {
    const cell = defused(value)
    return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  }
  let begun = false
  return async ({ line, column, reason }) => {
    const head = begun ? '' : 'line,column,reason\n'
    begun = true
    await output.append('errors', `${head}${line},${quoted(column)},${quoted(reason)}\n`)
  }
}
