import { ApiError } from '../api/client.ts'

/** The place in an expression at which the service does not understand it. `before`: characters that were put before it to ask. */
export function Caret({ text, error, before = 0 }: { readonly text: string; readonly error: unknown; readonly before?: number }) {
  const told = error instanceof ApiError ? error.meta['position'] : undefined
  if (typeof told !== 'number' || told < before || told > text.length + before) return null
  const at = told - before
  // A character may be two units of the text.
  const [fault = ''] = text.slice(at)
  const from = startOf(text, Math.max(0, at - BEFORE))
  const to = startOf(text, at + AFTER)
  return (
    <code className="caret">
      {from > 0 && '…'}
      {text.slice(from, at)}
      <u>{fault || '\u00a0'}</u>
      {text.slice(at + fault.length, to)}
      {text.length > to && '…'}
    </code>
  )
}

/** Where a character begins, at this unit of a text or before it. */
const startOf = (text: string, at: number): number => ((text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at)

/** Units of the text that are shown around it. */
const [BEFORE, AFTER] = [30, 20]
