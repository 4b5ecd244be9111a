import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { memo } from '../../memory/memo.ts'
import { failureOf, mayImport, placed } from '../../jobs/import-job.ts'
import type { ImportInput } from '../../jobs/import-input.ts'
import type { Db } from '../../store/ground/db.ts'
import { draftOf, type Draft } from '../../store/jobs/drafts.ts'
import { mustBringSomething, type Intended } from '../../transfer/intend.ts'
import { optionsOf } from '../../transfer/mapping.ts'
import type { CsvFile } from '../../transfer/read-csv.ts'
import { previewOf, type Preview } from '../../transfer/preview.ts'
import { showWriting } from './writing.ts'
import type { Asked } from '../routing/route.ts'

/* An import that is prepared: a job whose state is `draft`. */

export type ImportDraft = Draft & { readonly input: ImportInput }

/** @throws `resource.not_found` where the caller has no such import, `access.denied`, `table.not_found` */
export async function importDraft({
  store,
  caller,
  catalogue,
  params,
}: Pick<Asked<'{id}'>, 'store' | 'caller' | 'catalogue' | 'params'>): Promise<ImportDraft> {
  const draft = (await draftOf(store, caller, params.id)) as ImportDraft
  if (draft.kind !== 'import') throw fail('resource.not_found', { type: 'job', id: params.id })
  mayImport(caller, catalogue, draft.input)
  return draft
}

/** The same, where it is a draft still. @throws `job.not_draft` too */
export async function openDraft(asked: Parameters<typeof importDraft>[0]): Promise<ImportDraft> {
  const draft = await importDraft(asked)
  if (draft.state !== 'draft') throw fail('job.not_draft')
  return draft
}

/** Previews that are read. */
const running = memo((_: Db) => ({ count: 0 }))

/**
 * What an import would make of its file.
 * @throws `import.no_file`, `import.unreadable`, `import.unfit` with its place in the input, `server.busy`
 */
export async function previewed(
  { store, caller }: Pick<Asked, 'store' | 'caller'>,
  { input, file }: Pick<ImportDraft, 'input' | 'file'>,
): Promise<Preview> {
  const bytes = file === '' ? undefined : await store.files.stream(file)
  if (!bytes) throw fail('import.no_file')
  const reading = running(store.db)
  if (reading.count >= limits.importPreviews.most) throw fail('server.busy')
  reading.count++
  let header: readonly string[] = []
  const ask = (columns: Pick<CsvFile, 'header' | 'json'>) => {
    header = columns.header
    return optionsOf(input.mapping, columns, input.tableId === 0 ? input.title : undefined)
  }
  const into = { tableId: input.tableId === 0 ? undefined : input.tableId, title: input.title, lines: input.mapping }
  try {
    return await placed(
      () =>
        previewOf(store, caller, into, bytes as AsyncIterable<Uint8Array>, input.said, ask, AbortSignal.timeout(limits.importPreview.most)),
      input,
      () => header,
    )
  } catch (error) {
    throw failureOf(error)
  } finally {
    reading.count--
  }
}

/** Throws what an import of the file would be refused for as a whole. */
export async function tried(asked: Pick<Asked, 'store' | 'caller'>, draft: Pick<ImportDraft, 'input' | 'file'>): Promise<void> {
  const { columns, lines, header } = await previewed(asked, draft)
  await placed(
    async () => mustBringSomething(columns, lines),
    draft.input,
    () => header,
  )
}

/** A preview in JSON. The columns are as requests send them, with what was guessed. */
export const shownPreview = (
  { input }: Pick<ImportDraft, 'input'>,
  { format, encoding, delimiter, sheets, header, rows, columns, lines }: Preview,
) => ({
  file_name: input.fileName,
  table_name: input.title,
  format,
  encoding,
  delimiter,
  sheets,
  header,
  rows,
  columns: columns.map((one) => (lines.ids?.index === one.index ? { ...shownColumn(one), ids: true } : shownColumn(one))),
  update_by: lines.updateBy ?? null,
})

function shownColumn({ header, becomes, names, written }: Intended) {
  const reference = names && {
    reference: {
      ...(names.tableId !== 'itself' && { table_id: names.tableId }),
      field: typeof names.by === 'string' ? names.by : names.by.name,
    },
  }
  return { header, ...becoming(becomes), ...reference, ...showWriting(written) }
}

function becoming(becomes: Intended['becomes']): Readonly<Record<string, unknown>> {
  if (!becomes) return { skip: true }
  if ('attribute' in becomes) return { field: becomes.attribute, field_name: becomes.title }
  const { makes, type, listType, scale, unique, guessed } = becomes
  return { create: { name: makes, type: listType ?? type, unique, ...(scale !== undefined && { scale }) }, guessed }
}
