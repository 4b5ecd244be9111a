/** What the address of the designer says: which field is open, or that a new one is made. */
export interface DesignerSearch {
  readonly field?: number | 'new' | undefined
}

export const readDesigner = ({ field }: Record<string, unknown>): DesignerSearch => ({
  field: field === 'new' ? field : Number.isSafeInteger(field) && Number(field) > 0 ? Number(field) : undefined,
})
