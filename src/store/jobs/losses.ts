import { fail } from '../../errors.ts'

/* What a conversion of a field would lose. */

/** A value that would be lost. */
export interface Lost {
  readonly record_id: string
  readonly value: string
}

export interface Losses {
  readonly lost: number
  readonly examples: readonly Lost[]
}

/** Values that are named. */
export const EXAMPLES = 10

export const together = (one: Losses, other: Losses): Losses => ({
  lost: one.lost + other.lost,
  examples: [...one.examples, ...other.examples].slice(0, EXAMPLES),
})

/** @throws `field.would_lose_data` */
export function mustLoseNothing({ lost, examples }: Losses, lossy: boolean): void {
  if (lost > 0 && !lossy)
    throw fail('field.would_lose_data', { count: lost }, { attribute: 'typeName', meta: { count: lost, examples: [...examples] } })
}
