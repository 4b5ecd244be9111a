import { fail } from '../errors.ts'
import type { FieldType } from '../fields/field-type.ts'
import { daysLater, NO_DATE } from '../fields/forms/times.ts'
import type { Name } from './ast.ts'

/** What bare words stand for in a filter. */
export interface Words {
  readonly currentUser: number
  /** The present second in the zone of the instance, YYYY-MM-DD HH:MM:SS. */
  readonly now: string
}

/**
 * The text that a bare word stands for as a value of a type; undefined: there is no such word. Without a type there are no dates.
 * @throws `field.invalid_value` for a date where the type holds none, and for one outside the years 1 to 9999
 */
export function textOfWord({ name, step, days }: Name, type: FieldType | undefined, { currentUser, now }: Words): string | undefined {
  if (step !== undefined) return undefined
  if (name === 'current_user' && days === undefined) return String(currentUser)
  if (!type || (name !== 'today' && name !== 'now')) return undefined
  if (type.kind !== 'time') throw fail('field.invalid_value', { why: `'${name}' is a date, and the attribute holds none.` })
  const moment = days === undefined ? now : daysLater(now, Number(days))
  // All values of a type of times have the same length: those of a date end before the time of day.
  return moment.slice(0, name === 'today' ? NO_DATE.length : String(type.empty).length)
}
