import { createRecord } from '../../src/store/records/write-records.ts'
import { scratchStore } from './scratch-store.ts'
import { indexedTable } from './indexed-table.ts'

/* Fills a table, asks for indexes and goes on writing until it is killed: `node building-program.ts <directory>`. */

const { store } = await scratchStore({}, process.argv[2]!)
const table = await indexedTable(store, 3_000)
for (const field of ['title', 'notes', 'mail']) {
  await table.list(`contains(${field},'line')`)
  await table.list(undefined, `-${field}`)
}
process.stdout.write(`asked ${table.id}\n`)
for (let i = 0; ; i++) await createRecord(store, table.may('create'), new Map([[table.named('title'), `written meanwhile ${i}`]]))
