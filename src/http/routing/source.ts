import type { Where } from '../../errors.ts'

/** Where in the request the fault lies: JSON:API 1.1, error objects. */
export type Source = Readonly<Partial<Record<'pointer' | 'parameter' | 'header', string>>>

/** A name as part of a JSON Pointer (RFC 6901). */
export const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

const headers = { ifMatch: 'If-Match', idempotencyKey: 'Idempotency-Key' } as const

/** The place of a failure as JSON:API has it: a JSON pointer into the body, or the name of a query parameter or a header. */
export function sourceOf({ attribute, path = [], expression, condition, source }: Where): Source | undefined {
  if (attribute !== undefined)
    return { pointer: ['/data/attributes', ...[attribute, ...path].map((part) => escaped(String(part)))].join('/') }
  if (condition !== undefined) return { header: headers[condition] }
  return expression === undefined ? source : { parameter: expression }
}
