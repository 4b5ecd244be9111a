import { Failure, Failures, fail } from '../errors.ts'
import { administrator } from '../store/catalogue/administrator.ts'
import { inputFileOf, positionOf } from '../store/jobs/drafts.ts'
import { grant, type Caller } from '../store/model/access.ts'
import type { Catalogue } from '../store/model/catalogue.ts'
import { importAside } from '../transfer/import-aside.ts'
import { importLines } from '../transfer/import-lines.ts'
import { intend, mustBringSomething } from '../transfer/intend.ts'
import { beginning, headOfErrors, keeperOf, type ImportPosition, type KeptJob } from '../transfer/keep-job.ts'
import { linesAre } from '../transfer/kept-ids.ts'
import { listGrower } from '../transfer/list-options.ts'
import { carryOut, existingPlan, trialPlan } from '../transfer/make-plan.ts'
import { optionsOf } from '../transfer/mapping.ts'
import { openFile, peek, type OpenFile } from '../transfer/open-file.ts'
import type { Plan } from '../transfer/plan.ts'
import { Unreadable } from '../transfer/read-csv.ts'
import { planFor, sendable } from '../transfer/sent-plan.ts'
import { Unfit } from '../transfer/unfit.ts'
import { makesStructure, readInput, type ImportInput } from './import-input.ts'
import type { JobKind, Running } from './job-kind.ts'

/*
 * Imports over HTTP: as the command `import` does them, in its thread. Each batch writes in its transaction where the import is and which lines
 * it refused, so it goes on exactly behind the last line that was committed.
 */

export const importJob: JobKind<ImportInput, ImportPosition> = {
  name: 'import',
  fileNameOf: ({ fileName }) => fileName,
  goesOn: true,
  isDraft: true,
  read: readInput,
  tableOf: ({ tableId }) => tableId,
  allow: mayImport,
  run,
  resultOf: (position, batchId) => {
    const { plan, read, imported, updated = 0, bad, incomplete, listed, notes } = position ?? beginning
    // 0: a trial has a table in no way, where it would make one.
    const made = plan !== null && plan.tableId !== 0 && { table_id: plan.tableId }
    return { batch_id: batchId === 0 ? null : batchId, ...made, read, imported, updated, bad, incomplete, listed, notes }
  },
}

/** @throws `access.denied`, `table.not_found` */
export function mayImport(caller: Caller, catalogue: Catalogue, input: ImportInput): void {
  const { keepIds, updateBy } = input.mapping
  if (input.tableId !== 0) {
    grant(['create', 'bulk'], input.tableId, caller, catalogue)
    if (updateBy !== undefined) grant(['update', 'read', 'bulk'], input.tableId, caller, catalogue)
  }
  if (keepIds === true) administrator(caller, 'give records their ids')
  if (makesStructure(input)) administrator(caller, 'make tables and fields')
}

/** The rights of the caller have become others: what is left goes on with those. */
class OtherRights extends Error {}

async function run(running: Running<ImportPosition>, input: ImportInput): Promise<ImportPosition> {
  const { store } = running
  for (;;) {
    const by: Caller = { ...(await running.goOn()), door: 'import' }
    mayImport(by, store.catalogue(), input)
    const { hash, size } = await inputFileOf(store, running.id)
    const bytes = await store.files.stream(hash)
    if (!bytes) throw fail('import.no_file')
    try {
      const file = await openFile(store.files, bytes as AsyncIterable<Uint8Array>, input.said, running.signal)
      try {
        return await importFile(running, by, input, file, file.workbook ? null : size)
      } finally {
        await file.close()
      }
    } catch (error) {
      if (error instanceof OtherRights) continue
      // Where it is to end, reading was ended for that.
      if (running.signal.aborted) await running.goOn()
      throw failureOf(error)
    }
  }
}

/** @throws what stops the import */
async function importFile(
  running: Running<ImportPosition>,
  by: Caller,
  input: ImportInput,
  file: OpenFile,
  total: number | null,
): Promise<ImportPosition> {
  const { store } = running
  const { sample, all, isWhole } = await peek(file.csv)
  const position = running.position ?? beginning
  const plan = await planOf(running, by, input, file, sample, position, total)
  // References to later lines are in memory until the end.
  const resumes = !plan.columns.some(({ reference }) => reference?.tableId === plan.tableId)
  if (position.last > 0 && !resumes) throw fail('job.interrupted')
  const job: KeptJob = {
    id: running.id,
    holder: running.holder,
    head: headOfErrors(file.csv.header),
    total,
    position: { ...position, plan: sendable(plan), isMaking: false },
    isTrial: input.isTrial,
  }
  const lists = plan.columns.some(({ listType }) => listType !== undefined)
    ? listGrower(store, administrator(by, 'make options'), plan)
    : undefined
  const grow = lists?.grow ?? (async () => {})
  const progress = async () => {
    const now = await running.goOn()
    if (now.groupId !== by.groupId || now.administrator !== by.administrator || now.scope !== by.scope) throw new OtherRights()
  }
  const report = async () => {}
  const { admitWriter, settings } = store
  const counts =
    isWhole || !admitWriter
      ? await importLines(store, by, plan, all, report, progress, grow, keeperOf(job, by.batch))
      : await importAside(
          { settings, admitWriter },
          by,
          plan,
          file.options,
          await file.source(),
          report,
          progress,
          grow,
          job,
          running.signal,
        )
  const last = ((await positionOf(store, running.id)) as ImportPosition | undefined) ?? job.position
  const notes = counts.stopped === undefined && lists ? await lists.finish() : last.notes
  const end = { ...last, notes }
  const done = counts.stopped === undefined ? (total ?? end.read) : Math.min(total ?? end.read, file.csv.read())
  await running.advance(undefined, { done, total: counts.stopped === undefined ? done : total, position: end })
  if (counts.stopped !== undefined) throw counts.stopped
  return end
}

/** What is done with each column: as it was begun, or as it is asked for; tables and fields are made. */
async function planOf(
  running: Running<ImportPosition>,
  by: Caller,
  input: ImportInput,
  { csv }: OpenFile,
  sample: Parameters<typeof intend>[5],
  position: ImportPosition,
  total: number | null,
): Promise<Plan> {
  const { store } = running
  if (position.plan) return planFor(store, position.plan)
  if (position.isMaking) throw fail('job.interrupted')
  const { mapping, isTrial } = input
  const tableId = input.tableId === 0 ? undefined : input.tableId
  const title = input.tableId === 0 ? input.title : undefined
  const options = optionsOf(mapping, csv, title)
  const intended = intend(store, by, tableId, input.title, csv, sample, options)
  const lines = await linesAre(store, by, tableId, intended, mapping)
  mustBringSomething(intended, lines)
  if (isTrial) return { ...trialPlan(tableId, intended, options.nothing), ...lines }
  const isMaking = tableId === undefined || intended.some(({ becomes }) => becomes && 'makes' in becomes)
  if (isMaking) await running.advance(undefined, { done: 0, total, position: { ...position, isMaking } })
  const made = isMaking
    ? await carryOut(store, administrator(by, 'make tables and fields'), tableId, input.title, intended, options.nothing)
    : existingPlan(store, tableId, intended, options.nothing)
  const plan = { ...made, ...lines }
  await running.advance(undefined, { done: 0, total, position: { ...position, plan: sendable(plan), isMaking: false } })
  return plan
}

/** What was wrong with the mapping, at its place in the input. */
export async function placed<T>(
  work: () => Promise<T>,
  { mapping }: Pick<ImportInput, 'mapping'>,
  header: () => readonly string[],
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    throw unfit(error, mapping.columns, header())
  }
}

function unfit({ message, at }: Unfit, columns: ImportInput['mapping']['columns'], header: readonly string[]): Failure {
  const index = at.header === undefined ? -1 : header.indexOf(at.header)
  if (index < 0) {
    const member = at.of === 'table' ? 'table_name' : at.of === 'keep_ids' || at.of === 'update_by' ? at.of : 'columns'
    return fail('import.unfit', { why: message }, { attribute: 'input', path: [member] })
  }
  const inside = at.of === undefined ? [] : at.of === 'type' || at.of === 'unique' ? ['create', at.of] : [at.of]
  const isSent = columns[index] !== undefined && columns[index] !== null
  return fail('import.unfit', { why: message }, { attribute: 'input', path: ['columns', index, ...(isSent ? inside : [])] })
}

/** As a failure of the job. */
export function failureOf(error: unknown): unknown {
  if (error instanceof Unreadable) return fail('import.unreadable', { why: error.message })
  if (error instanceof Unfit) return fail('import.unfit', { why: error.message })
  return error instanceof Failures ? error.failures[0] : error
}
