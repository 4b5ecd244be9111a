/** What the address of the search says. */
export interface SearchWords {
  readonly q?: string | undefined
}

/** Words that look like a number or like JSON have been read as that. */
export const readWords = ({ q }: Record<string, unknown>): SearchWords => ({
  q: q === undefined || q === null || q === '' ? undefined : typeof q === 'string' ? q : JSON.stringify(q),
})
