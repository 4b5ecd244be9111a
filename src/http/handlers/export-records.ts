import { parseSort } from '../../filter/sort.ts'
import { grant, showing } from '../../store/model/access.ts'
import { BYTE_ORDER_MARK, exportMedia as media, exportRecords as partsOf } from '../../transfer/export-records.ts'
import { answers } from '../answers/described.ts'
import { rightsOf, takeTurn } from '../resources/export-turns.ts'
import { contentDisposition } from '../resources/file.ts'
import { typeOf } from '../resources/record.ts'
import { filter, oneOf, selection, sort, wanted } from '../routing/readers.ts'
import { route, type Incoming, type Streamed } from '../routing/route.ts'

const fileFormat = oneOf('`csv`, `jsonl` (a JSON object in each line) or `xlsx` (a workbook).', 'csv', 'jsonl', 'xlsx')

const forSpreadsheet = oneOf(
  '`true`: CSV begins with a byte order mark, and cells that a spreadsheet would run as formulas begin with an apostrophe. `false`: values as they are.',
  'true',
  'false',
)

export const exportRecords = route({
  method: 'GET',
  path: '/api/dev/data{table}/export',
  says: 'Sends the records of a table that match a filter as a file, in the order of `sort` or of their ids.',
  token: 'tables',
  answers: Object.values(media).map((one) => answers({ media: one })),
  fails: ['export.too_many'],
  query: {
    filter,
    sort,
    fileFormat,
    forSpreadsheet,
  },
  legacyFilter: true,
  sparseFields: true,

  async run(request) {
    const { store, caller, catalogue, params, query } = request
    const seen = grant(['read', 'print'], params.table, caller, catalogue)
    const chosen = selection(request, { [typeOf(seen)]: seen.allAttributes }).get(typeOf(seen))
    const granted = showing(seen, chosen)
    const format = query.fileFormat
    const isForSpreadsheet = format === 'csv' && query.forSpreadsheet === 'true'
    const parts = partsOf(store, granted, {
      format,
      filter: wanted(request),
      sort: parseSort(query.sort, granted.allAttributes),
      chosen,
      isDefused: isForSpreadsheet,
      progress: rightsOf(store, granted),
    })
    return {
      status: 200,
      headers: {
        'Content-Type': media[format],
        'Content-Disposition': contentDisposition('attachment', `${granted.table.title}.${format}`),
        'Cache-Control': 'no-store',
      },
      body: await begun(request, parts, isForSpreadsheet ? BYTE_ORDER_MARK : '', takeTurn(store, caller)),
    }
  },
})

/** The first part is made before the head is sent: an invalid filter is refused with an error document. `end`: when nothing is sent any more. */
async function begun(
  { caller, isHead }: Pick<Incoming, 'caller' | 'isHead'>,
  parts: ReturnType<typeof partsOf>,
  before: string,
  end: () => void,
): Promise<Streamed> {
  const first = await parts.next().catch((error: unknown) => {
    end()
    throw error
  })
  // The parts are never asked for where there is no body, or nobody to send it to.
  const stop = caller.client?.whenGone(end)
  if (isHead || caller.client?.isGone) end()
  return {
    async *parts() {
      try {
        if (before !== '') yield before
        if (!first.done) yield first.value
        yield* parts
      } finally {
        stop?.()
        end()
      }
    },
  }
}
