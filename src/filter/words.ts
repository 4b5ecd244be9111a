import { fail } from '../errors.ts'
import type { FieldType } from '../fields/field-type.ts'
import { daysLater, firstOfMonth, NO_DATE, weekday } from '../fields/forms/times.ts'
import type { Name } from './ast.ts'

/** What bare words stand for in a filter. */
export interface Words {
  readonly currentUser: number
  /** The present second in the zone of the instance, YYYY-MM-DD HH:MM:SS. */
  readonly now: string
}

/** Of the words for the first day of the present week: on which day of the week, 0 for Sunday, weeks begin. */
const WEEKS: Readonly<Record<string, number>> = { week: 1, week_friday: 5, week_saturday: 6, week_sunday: 0 }

const MOMENTS = ['today', 'now', 'month', 'year', ...Object.keys(WEEKS)]
const MOMENT = new RegExp(`\\b(?:${MOMENTS.join('|')})\\b`)

/** Whether what a filter selects may depend on when it is asked: it has such a word, or a text that holds one. */
export const hasMoment = (expression: string): boolean => MOMENT.test(expression)

/**
 * The text that a bare word stands for as a value of a type; undefined: there is no such word. Without a type there are no dates.
 * @throws `field.invalid_value` for a date where the type holds none, and for one outside the years 1 to 9999
 */
export function textOfWord({ name, step, days }: Name, type: FieldType | undefined, { currentUser, now }: Words): string | undefined {
  if (step !== undefined) return undefined
  if (name === 'current_user' && days === undefined) return String(currentUser)
  if (!type || !MOMENTS.includes(name)) return undefined
  if (type.kind !== 'time') throw fail('field.invalid_value', { why: `'${name}' is a date, and the attribute holds none.` })
  // All values of a type of times have the same length: those of a date end before the time of day.
  return momentOf(name, Number(days ?? 0), now).slice(0, name === 'now' ? String(type.empty).length : NO_DATE.length)
}

/** `step`: so many days later, of a week, month or year so many of these. */
function momentOf(name: string, step: number, now: string): string {
  if (name === 'month') return firstOfMonth(now, step)
  if (name === 'year') return firstOfMonth(`${now.slice(0, 4)}-01-01`, step * 12)
  const begin = WEEKS[name]
  return daysLater(now, begin === undefined ? step : step * 7 - ((weekday(now) - begin + 7) % 7))
}
