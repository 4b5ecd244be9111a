import { authenticate } from '../../src/store/people/authenticate.ts'
import { grant, type Caller } from '../../src/store/model/access.ts'
import { prepareCreate, prepareDelete, prepareUpdate } from '../../src/store/records/write-records.ts'
import type { Store } from '../../src/store/ground/store.ts'

/* Acts of several changes, as one request, import or command makes them. */

/** One change of an act. */
export type Step =
  | { readonly does: 'create'; readonly table: number; readonly values: Readonly<Record<string, string>> }
  | { readonly does: 'update'; readonly table: number; readonly record: number; readonly values: Readonly<Record<string, string>> }
  | { readonly does: 'delete'; readonly table: number; readonly record: number }

/** Does these steps as one act of the owner of a token: each list in a transaction of its own. Returns the records, in the order of the steps. */
export async function actOf({ store }: { readonly store: Store }, token: string, ...transactions: (readonly Step[])[]): Promise<number[]> {
  const found = await authenticate(store, token, '')
  return actBy(store, { ...found! }, ...transactions)
}

export async function actBy(store: Store, caller: Caller, ...transactions: (readonly Step[])[]): Promise<number[]> {
  const records: number[] = []
  for (const steps of transactions) {
    const done = await store.db.write(async (tx) => {
      const ids: number[] = []
      for (const step of steps) ids.push(await doneBy(store, caller, step).then((write) => write(tx)))
      return ids
    })
    records.push(...done)
  }
  return records
}

type Write = (tx: Parameters<Parameters<Store['db']['write']>[0]>[0]) => Promise<number>

async function doneBy(store: Store, caller: Caller, step: Step): Promise<Write> {
  const catalogue = store.catalogue()
  if (step.does === 'create') {
    const { apply } = await prepareCreate(store, grant('create', step.table, caller, catalogue), new Map(Object.entries(step.values)))
    return async (tx) => (await apply(tx)).id
  }
  if (step.does === 'delete') {
    const { apply } = prepareDelete(store, grant('delete', step.table, caller, catalogue), step.record)
    return async (tx) => apply(tx).then(() => step.record)
  }
  const { apply } = await prepareUpdate(
    store,
    grant('update', step.table, caller, catalogue),
    step.record,
    new Map(Object.entries(step.values)),
  )
  return async (tx) => (await apply(tx)).id
}
