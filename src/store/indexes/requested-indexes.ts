import { fail } from '../../errors.ts'
import { sql } from '../../sql/sql.ts'
import { onlyAdministrators, type Administrator } from '../catalogue/administrator.ts'
import { audit } from '../people/audit.ts'
import { indexKinds } from '../ground/indexes.ts'
import { everyAttribute, suits } from './index-plan.ts'
import { wishes, type IndexInfo } from './index-rows.ts'
import { findRow, relation } from '../ground/relation.ts'
import { changing, creating } from '../ground/resource-rows.ts'
import type { Uses } from '../ground/store.ts'

const columns = {
  id: ['id', 'integer'],
  tableId: ['table_id', 'integer'],
  attribute: ['attribute', 'text'],
  kind: ['kind', 'text'],
  wish: ['wish', 'text'],
  state: ['state', 'text'],
  madeAt: ['made_at', 'datetime'],
  lastUsed: ['last_used', 'text'],
  uses: ['uses', 'integer'],
  bytes: ['bytes', 'integer'],
  failure: ['failure', 'text'],
} as const

/** No text but the failure has capitals, so each is its own key. */
const withKeys = sql`(SELECT indexes.*, attribute AS attributek, kind AS kindk, wish AS wishk, state AS statek, last_used AS last_usedk FROM indexes) AS keyed`

/** What the service makes of a wish is not told, nor are wishes of its own. */
const logging = { type: 'index', silent: ['state', 'madeAt', 'lastUsed', 'uses', 'bytes', 'failure'] } as const

export const indexRows = relation<IndexInfo>('indexes', columns, onlyAdministrators, withKeys, { logging })

/** Creates the row of an index that an administrator pins or forbids before a list has requested it. */
export const createIndex = (
  store: Uses<'db' | 'indexes' | 'environment' | 'settings' | 'catalogue'>,
  by: Administrator,
  values: Partial<IndexInfo>,
): Promise<number> =>
  store.db.write(
    async (tx) => {
      const { tableId = 0, attribute: named = '', kind = '', wish = 'pinned' } = values
      const table = store.catalogue().tables.get(tableId)
      const attribute = named === '' && kind === 'words' ? table && everyAttribute : table?.allAttributes.get(named)
      const known = indexKinds.find((one) => one === kind)
      if (!attribute)
        throw fail('field.invalid_value', { why: `Table ${tableId} has no attribute '${named}'.` }, { attribute: 'attribute' })
      if (!known || !suits(attribute, known, store.db.dialect))
        throw fail('field.invalid_value', { why: `'${named}' can have no index of the kind '${kind}'.` }, { attribute: 'kind' })
      mustBeKnownWish(wish)
      const before = await tx.all(sql`SELECT id FROM indexes WHERE table_id = ${tableId} AND attribute = ${named} AND kind = ${kind}`)
      if (before[0])
        throw fail(
          'field.invalid_value',
          { why: `It is index ${before[0][0]} already; change its wish instead.` },
          { attribute: 'attribute' },
        )
      const state = wish === 'forbidden' ? 'none' : 'waiting'
      const id = await creating(tx, by, indexRows, async () => {
        const [made] = await tx.runReturning(sql`INSERT INTO indexes (table_id, attribute, kind, wish, state, made_at)
          VALUES (${tableId}, ${named}, ${kind}, ${wish}, ${state}, '0000-00-00 00:00:00') RETURNING id`)
        return Number(made![0])
      })
      await audit(store, tx, by, 'index_created', `index ${id}`, `table ${tableId}: ${named} ${kind}, ${wish}`)
      return id
    },
    { onCommit: store.indexes.recheck },
  )

export const updateIndex = (
  store: Uses<'db' | 'indexes' | 'environment' | 'settings'>,
  by: Administrator,
  id: number,
  { wish }: Partial<IndexInfo>,
): Promise<void> =>
  store.db.write(
    async (tx) => {
      const now = await findRow((query) => tx.all(query), indexRows, id)
      if (!now) throw fail('resource.not_found', { type: 'index', id })
      if (wish === undefined) return
      mustBeKnownWish(wish)
      const state = now.state === 'ready' ? now.state : 'waiting'
      const one = sql`id = ${id}`
      await changing(tx, by, indexRows, one, () =>
        tx.run(sql`UPDATE indexes SET wish = ${wish}, state = ${state}, failure = '', failurek = '' WHERE ${one}`),
      )
      await audit(store, tx, by, 'index_changed', `index ${id}`, `table ${now.tableId}: ${now.attribute} ${now.kind}, ${wish}`)
    },
    { onCommit: store.indexes.recheck },
  )

function mustBeKnownWish(wish: string): void {
  if (!wishes.some((one) => one === wish))
    throw fail('field.invalid_value', { why: `A wish is one of ${wishes.join(', ')}.` }, { attribute: 'wish' })
}
