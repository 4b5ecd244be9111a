import type { Administrator } from '../../store/catalogue/administrator.ts'
import { inOneTransaction } from '../../store/catalogue/in-one-transaction.ts'
import type { Store, Uses } from '../../store/ground/store.ts'
import type { StructureDocument } from './document.ts'
import { takeInventory, type Inventory } from './inventory.ts'
import { planChanges, planRenames } from './plan.ts'
import { idsIn, type Step } from './step.ts'

export interface ApplyOptions {
  /** What the document does not have goes: tables and fields to the trash, with their records and values. */
  readonly deletes?: boolean
}

interface Plan {
  readonly steps: readonly Step[]
  readonly inventory: Inventory
}

/** What `applyStructure` would do. */
export async function planStructure(
  store: Uses<'db' | 'catalogue'>,
  document: StructureDocument,
  { deletes = false }: ApplyOptions = {},
): Promise<Plan> {
  const before = await takeInventory(store)
  const renames = planRenames(before, document)
  const inventory = renames.newNames.size > 0 ? await takeInventory(store, renames.newNames) : before
  return { steps: [...renames.steps, ...planChanges(inventory, document, deletes)], inventory }
}

/**
 * Brings an installation to the document, by the functions that requests use, in one transaction: all of it or nothing. `mayDo` is asked with
 * all steps before the first: what it throws ends it.
 */
export function applyStructure(
  store: Store,
  by: Administrator,
  document: StructureDocument,
  { mayDo, ...options }: ApplyOptions & { readonly mayDo: (steps: readonly Step[]) => void },
): Promise<readonly Step[]> {
  return inOneTransaction(store, async (within) => {
    const { steps, inventory } = await planStructure(within, document, options)
    mayDo(steps)
    const doing = { store: within, by, ids: idsIn(inventory) }
    for (const step of steps) await step.run(doing)
    return steps
  })
}
