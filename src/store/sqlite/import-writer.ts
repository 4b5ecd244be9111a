import type { MessagePort } from 'node:worker_threads'
import { sqlite } from '../../sql/sqlite.ts'
import type { Catalogue } from '../model/catalogue.ts'
import { commitQueue, type WriteLease } from './commit-queue.ts'
import type { Tally } from '../ground/changes.ts'
import { contextOf } from '../ground/clock.ts'
import type { Db, Ledger, Row, WriterAccess } from '../ground/db.ts'
import { MAY_COMMIT, OTHERS_WAIT, pack, type FromWriter, type Lease } from './write-lease.ts'
import { connect, readAll, rendered, statements } from './connection.ts'
import { connectionOf } from './database.ts'
import type { Environment, StoreSettings, WritingStore } from '../ground/store.ts'

/** Records after which a checkpoint is made. */
const CHECKPOINT = 8_000
/** KiB of the page cache. A larger one made no import faster, with any indexes. */
const CACHE = 16_000

/** What the store passes to the import writer. */
export interface ImportWriting {
  /** Reads the catalogue. What did not change are the same objects as in `before`. */
  load(read: Db['read'], dialect: Db['dialect'], before?: Catalogue): Promise<Catalogue>
  /** Called before each commit of the import writer; the ledgers of the thread that serves are called after it. */
  readonly ledger: Pick<Ledger, 'images' | 'beforeCommit'>
}

/**
 * Opens the database that another thread of this process serves, to write while this thread has the write lease
 * (store/sqlite/write-lease.ts). It has the parts of a store that writing records needs, without structure and lists.
 */
export async function openImportWriter(
  access: WriterAccess,
  environment: Environment,
  settings: StoreSettings,
  { load, ledger }: ImportWriting,
): Promise<Omit<WritingStore, 'files'>> {
  const { file, port } = access
  const writer = connect(file)
  writer.pragma(`cache_size = -${CACHE}`)
  writer.pragma('wal_autocheckpoint = 0')
  const reader = connect(file)
  const prepared = statements(reader)
  const read = async (...queries: Parameters<Db['read']>): Promise<Row[][]> => readAll(reader, prepared, queries.map(rendered))
  const readAside: Db['readAside'] = (_, ...queries) => read(...queries)
  const reads = { read, readAside, readLittle: readAside }
  const connection = connectionOf(writer)
  const queue = commitQueue(
    { ...connection, lease: leaseOf(access, checkpoint, begun) },
    { ...ledger, afterCommit: ({ length }) => void (written += length) },
  )
  let catalogue: Catalogue = await load(read, sqlite)
  /** The version of the catalogue that was read last. With -1, which no catalogue has, the first lease reads it. */
  let version = -1
  let written = 0

  /** Called before the lease is requested, so that no other write waits for the checkpoint. */
  function checkpoint(): void {
    if (written < CHECKPOINT) return
    written = 0
    writer.pragma('wal_checkpoint(PASSIVE)')
  }

  async function begun(lease: Lease): Promise<void> {
    if (lease.version !== version) {
      version = lease.version
      catalogue = await load(read, sqlite, catalogue)
    }
  }

  return {
    db: { dialect: sqlite, ...reads, forLists: reads, write: queue.write, close },
    environment,
    settings,
    context: contextOf(environment, settings),
    catalogue: () => catalogue,
    close,
  }

  async function close(): Promise<void> {
    await queue.idle()
    reader.close()
    writer.pragma('wal_checkpoint(PASSIVE)')
    writer.close()
    port.close()
  }
}

function leaseOf({ port, flags }: WriterAccess, before: () => void, begun: (lease: Lease) => Promise<void>): WriteLease {
  const send = (message: FromWriter, transferred: ArrayBuffer[] = []) => port.postMessage(message, transferred)
  let has = false
  return {
    async acquire() {
      before()
      const lease = await next(port, () => send({ asks: true }))
      has = true
      await begun(lease)
    },
    isWanted: () => Atomics.load(flags, OTHERS_WAIT) === 1,
    announce(tallies: readonly Tally[]) {
      const packed = pack(tallies)
      send({ tallies: packed }, [packed.buffer as ArrayBuffer])
      Atomics.wait(flags, MAY_COMMIT, 0)
      Atomics.store(flags, MAY_COMMIT, 0)
    },
    release() {
      if (has) send({ returns: true })
      has = false
    },
  }
}

function next(port: MessagePort, ask: () => void): Promise<Lease> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('The thread that serves the database has closed it.'))
    port.once('close', gone)
    port.once('message', (lease: Lease) => {
      port.off('close', gone)
      resolve(lease)
    })
    ask()
  })
}
