import type { TrashKind } from '../api/trash.ts'

/** What the address of the trash says. */
export interface TrashSearch {
  readonly kind?: TrashKind | undefined
}

/** A member that is left out would keep what the address says. */
export const readTrash = ({ kind }: Record<string, unknown>): TrashSearch => ({
  kind: kind === 'record' || kind === 'field' || kind === 'table' ? kind : undefined,
})
