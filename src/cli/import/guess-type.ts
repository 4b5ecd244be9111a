/** A field as the import would make it for a column. */
export interface Guess {
  readonly type: string
  /** Digits after the point, for decimals. */
  readonly scale?: number
}

/**
 * The narrowest type that every sample fits; empty samples say nothing. Numbers with leading zeros are codes and stay
 * text, and 0 and 1 stay numbers.
 */
export function guessType(header: string, samples: readonly string[]): Guess {
  const values = samples.filter((value) => value !== '')
  const all = (pattern: RegExp) => values.length > 0 && values.every((value) => pattern.test(value))
  if (all(/^-?(0|[1-9]\d{0,17})$/)) return { type: 'integer' }
  if (all(/^-?(0|[1-9]\d*)(\.\d{1,9})?$/) && values.every((value) => value.replace(/\D/g, '').length <= 15)) {
    return { type: 'decimal', scale: Math.max(2, ...values.map((value) => (value.split('.')[1] ?? '').length)) }
  }
  if (all(/^\d{4}-\d{2}-\d{2}$/)) return { type: 'date' }
  if (all(/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/)) return { type: 'datetime' }
  if (all(/^(true|false)$/i)) return { type: 'boolean' }
  if (all(/^[^\s@]+@[^\s@]+\.[^\s@]+$/)) return { type: 'email' }
  if (all(/^(https?|ftp):\/\/\S+$/)) return { type: 'url' }
  if (/phone|fax|mobile|telefon|тел|факс/i.test(header) && all(/^[\d\s()+./#-]*\d[\d\s()+./#-]*$/)) return { type: 'phone' }
  if (values.some((value) => value.length > 200 || /[\r\n]/.test(value))) return { type: 'longtext' }
  return { type: 'text' }
}
