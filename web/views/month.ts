/* Months as YYYY-MM, days as YYYY-MM-DD. `begin`: the day on which weeks begin, 0 for Sunday (`firstDay` of filter/periods.ts). */

const DAY = 86_400_000

export const monthOf = (time: string): string => time.slice(0, 7)

export function moved(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

/** The day so many days later. */
export const dayAfter = (day: string, by: number): string => new Date(Date.parse(`${day}T00:00Z`) + by * DAY).toISOString().slice(0, 10)

/** The seven days of the week in which a day lies. */
export function weekOf(day: string, begin: number): string[] {
  const first = dayAfter(day, -((new Date(Date.parse(`${day}T00:00Z`)).getUTCDay() + 7 - begin) % 7))
  return Array.from({ length: 7 }, (_, i) => dayAfter(first, i))
}

/** The days of the weeks in which a month lies. */
export function daysOf(month: string, begin: number): string[] {
  const [from] = weekOf(`${month}-01`, begin)
  const to = weekOf(dayAfter(`${moved(month, 1)}-01`, -1), begin)[6]!
  return Array.from({ length: Math.round((Date.parse(to) - Date.parse(from!)) / DAY) + 1 }, (_, i) => dayAfter(from!, i))
}
