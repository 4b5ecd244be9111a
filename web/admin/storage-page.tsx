import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Resource } from '../api/client.ts'
import { indexes } from '../api/indexes.ts'
import { installation, readiness, type Installation } from '../api/installation.ts'
import { locale } from '../api/preferences.ts'
import { countOf, tables } from '../api/queries.ts'
import { trashCount } from '../api/trash.ts'
import { useWords } from '../i18n/words.ts'
import { Head } from '../ui/head.tsx'
import { Icon } from '../ui/icon.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Trouble } from '../ui/trouble.tsx'
import { bytes } from './bytes.ts'
import { OnlyAdministrators } from './only-administrators.tsx'
import { byTable, isLittle, type OfTable } from './storage.ts'
import './operation.css'

export const StoragePage = () => (
  <OnlyAdministrators of="table">
    <Storage />
  </OnlyAdministrators>
)

/** What takes room on the disk and in memory, how much is left, and what can be done where that is little. */
function Storage() {
  const say = useWords()
  const asked = useQuery({ ...installation, refetchInterval: 15_000 })
  const is = asked.data
  return (
    <>
      <Head title={say('storageTitle')} />
      <div className="admin ledgers">
        {asked.error && !is ? (
          <Trouble error={asked.error} again={() => void asked.refetch()} />
        ) : !is ? (
          <Skeleton />
        ) : (
          <>
            <Room free={is.free_bytes} />
            <Disk is={is} />
            <Tables />
            <section aria-labelledby="storage-memory">
              <h2 id="storage-memory">{say('storageMemory')}</h2>
              <dl className="pairs figures explained-figures">
                <dt>{say('storageProcess')}</dt>
                <dd>{bytes(is.memory_bytes)}</dd>
                {is.lists && (
                  <>
                    <dt>{say('storageLists')}</dt>
                    <dd>
                      {say('storageUsed', { used: bytes(is.lists.memory_bytes), most: bytes(is.lists.memory_limit_bytes) })}
                      <p className="quiet">{say('storageListsHelp')}</p>
                    </dd>
                  </>
                )}
              </dl>
            </section>
          </>
        )}
      </div>
    </>
  )
}

/** Whether the disk is full, as the service itself says, or soon will be. */
function Room({ free }: { readonly free: number | null }) {
  const say = useWords()
  const isFull = useQuery(readiness).data?.reason === 'disk'
  if (isFull)
    return (
      <div className="note bad" role="alert">
        <Icon name="alert" />
        <span>{say('storageFull')}</span>
      </div>
    )
  if (!isLittle(free)) return null
  return (
    <div className="note warn" role="status">
      <Icon name="warn" />
      <span>{say('storageLittle', { free: bytes(free) })}</span>
    </div>
  )
}

function Disk({ is }: { readonly is: Installation }) {
  const say = useWords()
  const made = useQuery(indexes).data?.data
  const trashed = useQuery(trashCount).data?.meta?.total
  const days = is.settings.find(({ name }) => name === 'trash-days')?.value
  const isServer = is.database_log_bytes === null
  const unused = is.database_unused_bytes ?? 0
  return (
    <section aria-labelledby="storage-disk">
      <h2 id="storage-disk">{say('storageDisk')}</h2>
      <dl className="pairs figures explained-figures">
        <dt>{say('storageFree')}</dt>
        <dd>
          {is.free_bytes === null ? say('storageUntold') : bytes(is.free_bytes)}
          {isServer && <p className="quiet">{say('storageServer')}</p>}
        </dd>
        <dt>{say('storageDatabase')}</dt>
        <dd>
          {bytes(is.database_bytes)}
          {unused > 0 && <p className="quiet">{say('storageUnused', { size: bytes(unused) })}</p>}
        </dd>
        {is.database_log_bytes !== null && (
          <>
            <dt>{say('storageLog')}</dt>
            <dd>{bytes(is.database_log_bytes)}</dd>
          </>
        )}
        <dt>{say('storageIndexes')}</dt>
        <dd>
          {made && bytes(made.reduce((sum, { attributes }) => sum + attributes.size, 0))} ·{' '}
          <Link className="text-link" to="/admin/indexes">
            {say('storageToIndexes')}
          </Link>
          <p className="quiet">{say('storageIndexesHelp')}</p>
        </dd>
        <dt>{say('storageFiles')}</dt>
        <dd>
          {say(is.files.all ? 'storageCounted' : 'storageMore', { count: is.files.count, size: bytes(is.files.bytes) })}
          <p className="quiet">{say('storageFilesHelp')}</p>
        </dd>
        <dt>{say('trashTitle')}</dt>
        <dd>
          {trashed !== undefined && say('storageTrashed', { count: trashed })} ·{' '}
          <Link className="text-link" to="/trash" search={{}}>
            {say('storageToTrash')}
          </Link>
          {days !== undefined && <p className="quiet">{say('storageTrashHelp', { days: Number(days) })}</p>}
        </dd>
      </dl>
    </section>
  )
}

/** The tables whose indexes are the largest. */
function Tables() {
  const say = useWords()
  const known = useQuery(tables).data?.data
  const made = useQuery(indexes).data?.data
  const largest = known && made ? byTable(made, known) : []
  if (largest.length === 0) return null
  return (
    <section aria-labelledby="storage-tables">
      <h2 id="storage-tables">{say('storageTables')}</h2>
      <table className="ledger">
        <thead>
          <tr>
            <th scope="col">{say('storageTable')}</th>
            <th scope="col" className="end">
              {say('storageRecords')}
            </th>
            <th scope="col" className="end">
              {say('storageIndexes')}
            </th>
          </tr>
        </thead>
        <tbody>
          {largest.map((one) => (
            <TableLine key={one.table.id} of={one} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function TableLine({ of: { table, count, size } }: { readonly of: OfTable<Resource> }) {
  const say = useWords()
  const records = useQuery(countOf(Number(table.id))).data?.meta?.total
  return (
    <tr>
      <th scope="row">{String(table.attributes['table_name'])}</th>
      <td className="end">
        <span className="ledger-name">{say('storageRecords')}</span>
        {records !== undefined && new Intl.NumberFormat(locale()).format(records)}
      </td>
      <td className="end">
        <span className="ledger-name">{say('storageIndexes')}</span>
        {say('indexesSum', { count, size: bytes(size) })}
      </td>
    </tr>
  )
}
