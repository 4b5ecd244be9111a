import { timeOf } from '../fields/dates.ts'

/* What goes on where cells are filled from those before. */

const DAY = 86_400_000

/**
 * The next `count` values after some of one column: numbers and dates go on by the same step, where two or more have one; others are repeated.
 * Values are as the service gives them. `scale`: digits after the point of a decimal.
 */
export function series(values: readonly string[], type: string, scale: number, count: number): string[] {
  const next = values.length > 1 ? (NEXT[type]?.(values, scale) ?? undefined) : undefined
  return Array.from({ length: count }, (_, i) => next?.(i + 1) ?? values[i % values.length]!)
}

type Next = (values: readonly string[], scale: number) => ((step: number) => string | undefined) | undefined

const NEXT: Readonly<Record<string, Next>> = {
  integer: (values) => numbers(values, 0),
  decimal: numbers,
  date: dates,
  datetime: dates,
}

/** In whole units of the last digit: sums of decimals are exact. */
function numbers(values: readonly string[], scale: number): ReturnType<Next> {
  const units = values.map((text) => unitsOf(text, scale))
  if (units.some((one) => one === undefined)) return undefined
  const step = constant(units as bigint[])
  return step === undefined ? undefined : (i) => textOf(units.at(-1)! + step * BigInt(i), scale)
}

function unitsOf(text: string, scale: number): bigint | undefined {
  const [, sign, whole, part = ''] = /^(-?)(\d{1,30})(?:\.(\d{0,20}))?$/.exec(text) ?? []
  if (whole === undefined || part.replace(/0+$/, '').length > scale) return undefined
  const units = BigInt(whole + part.slice(0, scale).padEnd(scale, '0'))
  return sign === '-' ? -units : units
}

function textOf(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const sign = units < 0n ? '-' : ''
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

function constant(units: readonly bigint[]): bigint | undefined {
  const step = units[1]! - units[0]!
  return units.slice(1).every((one, i) => units[i]! + step === one) ? step : undefined
}

/** By days, or by whole months where all are of the same day of a month. */
function dates(values: readonly string[]): ReturnType<Next> {
  const times = values.map(timeOf)
  if (times.includes(undefined)) return undefined
  const known = times as number[]
  const length = values[0]!.length
  const text = (time: number) => {
    const at = new Date(time)
    return Number.isNaN(at.getTime()) || at.getUTCFullYear() > 9999 ? undefined : at.toISOString().replace('T', ' ').slice(0, length)
  }
  const months = known.map((time) => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth())
  const isSameDay = known.every(
    (time) => time % DAY === known[0]! % DAY && new Date(time).getUTCDate() === new Date(known[0]!).getUTCDate(),
  )
  const byMonth = isSameDay ? constant(months.map(BigInt)) : undefined
  if (byMonth !== undefined && byMonth !== 0n && new Date(known[0]!).getUTCDate() <= 28) {
    const last = new Date(known.at(-1)!)
    return (i) =>
      text(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + Number(byMonth) * i, last.getUTCDate(), 0, 0, 0, known[0]! % DAY))
  }
  const step = constant(known.map(BigInt))
  return step === undefined ? undefined : (i) => text(known.at(-1)! + Number(step) * i)
}
