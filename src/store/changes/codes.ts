import type { Act } from '../ground/changes.ts'
import type { Actor } from '../model/access.ts'

/* Names that the log keeps as numbers. Rows are only added. */

/** What was done to a record. */
export const actions = { create: 1, update: 2, delete: 3, restore: 4, convert: 5, erase: 6 } as const satisfies Readonly<
  Record<Act, number>
>

/** How it came: through the interface, an import, a command, a conversion of a field, an undo, or by the service itself (age). */
export const ways = { api: 1, page: 2, import: 3, cli: 4, undo: 5, conversion: 6, service: 7 } as const
export type Way = keyof typeof ways

const doors = { api: 'api', import: 'import', command: 'cli', undo: 'undo', service: 'service' } as const satisfies Readonly<
  Record<Actor['door'], Way>
>

export const codeOf = (act: Act): number => actions[act]
export const viaOf = (act: Act, door: Actor['door']): number => ways[act === 'convert' ? 'conversion' : doors[door]]
