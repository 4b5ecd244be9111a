import { locale } from '../api/preferences.ts'

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** A size as people write it: three digits at most, in thousands. */
export function bytes(size: number): string {
  const step = size < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size) / 3))
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: units[step]!,
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumSignificantDigits: 3,
  }).format(size / 1000 ** step)
}
