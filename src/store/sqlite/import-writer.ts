import type { MessagePort } from 'node:worker_threads'
import { sqlite } from '../../sql/sqlite.ts'
import type { Catalogue } from '../model/catalogue.ts'
import { commitQueue, type Turns } from './commit-queue.ts'
import type { Tally } from '../ground/changes.ts'
import type { Db, Invitation, Ledger, Move, Row } from '../ground/db.ts'
import { GO, pack, WANTED, type Said, type Turn } from './writing-turns.ts'
import { connect, readAll, rendered, statements } from './connection.ts'
import { connectionOf } from './database.ts'
import type { Environment, StoreSettings, WritingStore } from '../ground/store.ts'
import { watch } from './move-triggers.ts'

/** Records after which the log of writes goes into the database. */
const CHECKPOINT = 8_000
/** KiB; more makes no import faster, whatever its table has for indexes. */
const CACHE = 16_000

/** What the store gives it. */
export interface ImportWriting {
  /** Reads the catalogue; of what did not change the objects of the one before. */
  load(read: Db['read'], dialect: Db['dialect'], before?: Catalogue): Promise<Catalogue>
  /** Told before each commit of the thread; the host's ledgers are told after it. */
  readonly ledger: Pick<Ledger, 'images' | 'beforeCommit'>
}

/**
 * The database that another thread of this process holds, to write in by turns (store/sqlite/writing-turns.ts). Of a store it has
 * what writing records takes; structure and lists are the host's business.
 */
export async function openImportWriter(
  invitation: Invitation,
  environment: Environment,
  settings: StoreSettings,
  { load, ledger }: ImportWriting,
): Promise<Omit<WritingStore, 'files'>> {
  const { file, port } = invitation
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
    { ...connection, turns: turnsOf(invitation, checkpoint, begun) },
    { ...ledger, afterCommit: ({ length }) => void (written += length) },
  )
  let catalogue: Catalogue = await load(read, sqlite)
  /** Of the host's catalogue; one that it never has makes sure that the first turn brings what counts. */
  let version = -1
  let watched = 0
  let written = 0

  /** While it is nobody's turn, so that nobody waits for it. */
  function checkpoint(): void {
    if (written < CHECKPOINT) return
    written = 0
    writer.pragma('wal_checkpoint(PASSIVE)')
  }

  async function begun(turn: Turn): Promise<void> {
    if (turn.version !== version) {
      version = turn.version
      catalogue = await load(read, sqlite, catalogue)
      for (const trigger of writer.prepare<[], { name: string }>("SELECT name FROM temp.sqlite_master WHERE type = 'trigger'").all())
        writer.exec(`DROP TRIGGER temp."${trigger.name}"`)
      watched = 0
    }
    for (; watched < turn.watched.length; watched++) {
      const [tableId, column] = turn.watched[watched]!
      if (catalogue.tables.get(tableId)?.columns.includes(column)) await watch(connection, tableId, column)
    }
  }

  return {
    db: { dialect: sqlite, ...reads, forLists: reads, write: queue.write, close },
    environment,
    settings,
    context: { timeZone: settings.timeZone },
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

function turnsOf({ port, signals }: Invitation, before: () => void, begun: (turn: Turn) => Promise<void>): Turns {
  const say = (said: Said, transferred: ArrayBuffer[] = []) => port.postMessage(said, transferred)
  let has = false
  return {
    async begin() {
      before()
      const turn = await next(port, () => say({ waits: true }))
      has = true
      await begun(turn)
    },
    wanted: () => Atomics.load(signals, WANTED) === 1,
    announce(tallies: readonly Tally[], moves: readonly Move[]) {
      const packed = pack(tallies)
      say({ tallies: packed, moves }, [packed.buffer as ArrayBuffer])
      Atomics.wait(signals, GO, 0)
      Atomics.store(signals, GO, 0)
    },
    end() {
      if (has) say({ over: true })
      has = false
    },
  }
}

function next(port: MessagePort, ask: () => void): Promise<Turn> {
  return new Promise((resolve, reject) => {
    const gone = () => reject(new Error('The thread that holds the database has closed it.'))
    port.once('close', gone)
    port.once('message', (turn: Turn) => {
      port.off('close', gone)
      resolve(turn)
    })
    ask()
  })
}
