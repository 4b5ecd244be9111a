import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { citus } from '../../src/sql/citus.ts'
import { postgres } from '../../src/sql/postgres.ts'
import { sqlite } from '../../src/sql/sqlite.ts'
import { render } from '../../src/sql/sql.ts'
import { isMade, namesMade, placementOf, systemTables } from '../../src/store/schema/system-tables.ts'
import { tablesOf } from '../../src/store/upkeep/migrate-tables.ts'
import { scratchStore } from '../support/scratch-store.ts'

describe('the table of system tables', async () => {
  const { store, remove } = await scratchStore()
  after(remove)
  const { dialect } = store.db
  const made = await store.db.write((tx) => tablesOf(tx, dialect))
  for (const name of made.keys()) if (name.startsWith('sqlite_')) made.delete(name)

  it('names those that the migrations make, and no others', () => {
    const described = [...systemTables].filter(([, table]) => isMade(table, dialect)).map(([name]) => name)
    assert.deepEqual([...made.keys()].toSorted(), described.toSorted())
  })

  it('says of each that has rows of a user-defined table, a field or a filter how they are erased', () => {
    const owners = ['table_id', 'field_id', 'filter_id', 'view_id'] as const
    for (const [name, columns] of made) {
      const has = owners.filter((owner) => columns.some((column) => column.name === owner))
      const { of = [], pieceOf } = systemTables.get(name)!
      if (pieceOf !== undefined) continue
      if (has.length > 0) assert.notDeepEqual(of, [], name)
      if (of === 'dropped') assert.ok(has.includes('table_id'), name)
      else
        assert.deepEqual(
          of.filter((owner) => !has.includes(owner)),
          [],
          name,
        )
    }
  })
})

describe('where system tables lie on several servers', () => {
  const statement = (table: string) =>
    citus.placement(table, placementOf(table)).map((one) => {
      const { text, params } = render(one, citus.placeholder)
      return `${/SELECT (\w+)/.exec(text)![1]} ${params.join(' ')}`
    })

  it('counts on the coordinator alone, unique values and records in parts, the rest everywhere', () => {
    const placed = Object.groupBy([...namesMade(citus), 'data7', 'trash7'], (name) => statement(name)[0]?.split(' ')[0] ?? 'none')
    const { create_reference_table: everywhere = [], ...others } = placed
    assert.deepEqual(others, {
      none: [
        'changes',
        'change_files',
        'batches',
        'batch_parts',
        'changes_1',
        'change_log',
        'webhooks',
        'webhook_deliveries',
        'webhook_lease',
        'jobs',
        'job_pieces',
        'block_counts',
        'region_counts',
        'block_changes',
        'record_changes',
        'count_changes',
      ],
      citus_add_local_table_to_metadata: ['writers'],
      create_distributed_table: ['unique_keys', 'data7', 'trash7'],
    })
    assert.equal(everywhere.length, systemTables.size - 18)
    assert.deepEqual(statement('unique_keys'), ['create_distributed_table "unique_keys" key'])
    assert.deepEqual(statement('changes_2'), [])
    assert.deepEqual(statement('data7'), ['create_distributed_table "data7" id'])
  })

  it('engines in one place make fewer', () => {
    assert.deepEqual(
      namesMade(citus).filter((name) => !namesMade(postgres).includes(name)),
      ['unique_keys'],
    )
    assert.deepEqual(
      namesMade(postgres).filter((name) => !namesMade(sqlite).includes(name)),
      [
        'changes_1',
        'change_log',
        'webhook_lease',
        'region_counts',
        'block_changes',
        'record_changes',
        'count_changes',
        'catalogue_version',
        'writers',
      ],
    )
  })
})
