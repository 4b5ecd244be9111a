import { allKept, keep, kept } from './kept.ts'

/* What a person types in the editor of a field, kept until it is committed or cancelled. */

/** What a field showed when its editor was opened, and what the record held: what somebody else has written since is told when it is saved. */
export interface Opened {
  readonly shown: unknown
  readonly held: unknown
}

export interface Typed extends Opened {
  readonly text: string
}

/** In place of its id: the record is not there yet. */
export const NEW = 'new'

/** Where it is kept. */
export const typedAt = (field: { readonly table: number; readonly name: string }, record: string): string =>
  `${field.table} ${record} ${field.name}`

export function typedIn(place: string): Typed | undefined {
  const found = kept<Partial<Typed>>('typed', place)
  return found?.text === undefined ? undefined : { text: found.text, shown: found.shown, held: found.held }
}

/** Undefined takes it away. */
export const keepTyped = (place: string, typed: Typed | undefined): void => keep('typed', place, typed)

/** Where something is kept of a table: its records, and the names of their fields. */
export const typedOf = (table: number): readonly { readonly place: string; readonly record: string; readonly name: string }[] =>
  [...allKept('typed').keys()].flatMap((place) => {
    const [of, record = '', name = ''] = place.split(' ')
    return Number(of) === table ? [{ place, record, name }] : []
  })
