import type { Field } from '../fields/field.ts'
import { isOpen, partsOf } from '../grid/column-parts.ts'
import { readColumns } from '../grid/columns.ts'

/** Lines of a card besides its title: of fields that nobody has chosen, the first that are filled. */
const USUAL = 3
/** Fields that may be chosen. */
export const MOST = 10

export interface CardFields {
  /** In their order. */
  readonly fields: readonly Field[]
  /** So many of them that are filled are shown. */
  readonly most: number
  readonly isChosen: boolean
}

/**
 * What a card shows besides its title, by the columns of the list: those named alone (column-parts.ts) have been chosen for cards, unless the cards stand
 * for a grid (`isOwn` is false).
 */
export function cardFields(columns: string | undefined, fields: readonly Field[], title: Field | undefined, isOwn = true): CardFields {
  const parts = partsOf(columns)
  const isChosen = isOwn && !isOpen(parts) && parts.length > 0
  const shown = readColumns(columns, fields, title).flatMap(({ field }) => (field === title ? [] : [field]))
  return { fields: shown, most: isChosen ? MOST : USUAL, isChosen }
}

/** The columns that say so. The title is one of them, since files of the list have it too. */
export const columnsOfCard = (chosen: readonly Field[], title: Field | undefined): string | undefined =>
  [...(title ? [title] : []), ...chosen].map(({ name }) => name).join(',') || undefined
