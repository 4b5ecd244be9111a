import type { Uses } from '../../store/ground/store.ts'
import { FORMAT, VERSION, type StructureDocument } from './document.ts'
import { takeInventory } from './inventory.ts'

export interface ExportOptions {
  /** Without groups and rules of access. */
  readonly withoutAccess?: boolean
}

/** `notes`: what the document does not have, as sentences. */
export async function exportStructure(
  store: Uses<'db' | 'catalogue'>,
  { withoutAccess = false }: ExportOptions = {},
): Promise<{ readonly document: StructureDocument; readonly notes: readonly string[] }> {
  const { categories, groups, tables, notes } = await takeInventory(store)
  const parts = <Part>(items: readonly { readonly part: Part }[]) => items.map(({ part }) => part)
  const document: StructureDocument = {
    format: FORMAT,
    version: VERSION,
    categories: parts(categories),
    ...(!withoutAccess && { groups: parts(groups) }),
    tables: tables.map(({ part, fields, filters, views, access }) => ({
      ...part,
      fields: parts(fields),
      filters: parts(filters),
      views: parts(views),
      ...(!withoutAccess && { access: parts(access) }),
    })),
  }
  return { document, notes }
}
