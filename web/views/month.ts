/* Months as YYYY-MM, days as YYYY-MM-DD. Weeks begin on Monday. */

const DAY = 86_400_000

export const monthOf = (time: string): string => time.slice(0, 7)

export function moved(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

/** The day so many days later. */
export const dayAfter = (day: string, by: number): string => new Date(Date.parse(`${day}T00:00Z`) + by * DAY).toISOString().slice(0, 10)

/** The seven days of the week in which a day lies. */
export function weekOf(day: string): string[] {
  const monday = dayAfter(day, -((new Date(Date.parse(`${day}T00:00Z`)).getUTCDay() + 6) % 7))
  return Array.from({ length: 7 }, (_, i) => dayAfter(monday, i))
}

/** The days of the weeks in which a month lies. */
export function daysOf(month: string): string[] {
  const first = Date.parse(`${month}-01T00:00Z`)
  const last = Date.parse(`${moved(month, 1)}-01T00:00Z`) - DAY
  const weekday = (time: number) => (new Date(time).getUTCDay() + 6) % 7
  const from = first - weekday(first) * DAY
  const to = last + (6 - weekday(last)) * DAY
  return Array.from({ length: Math.round((to - from) / DAY) + 1 }, (_, i) => new Date(from + i * DAY).toISOString().slice(0, 10))
}
