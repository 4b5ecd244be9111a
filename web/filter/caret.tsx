import { ApiError } from '../api/client.ts'

/** The place in an expression at which the service does not understand it. `before`: characters that were put before it to ask. */
export function Caret({ text, error, before = 0 }: { readonly text: string; readonly error: unknown; readonly before?: number }) {
  const told = error instanceof ApiError ? error.meta['position'] : undefined
  if (typeof told !== 'number' || told < before || told > text.length + before) return null
  const at = told - before
  return (
    <code className="caret">
      {at > BEFORE && '…'}
      {text.slice(Math.max(0, at - BEFORE), at)}
      <u>{text.slice(at, at + 1) || '\u00a0'}</u>
      {text.slice(at + 1, at + AFTER)}
      {text.length > at + AFTER && '…'}
    </code>
  )
}

/** Characters that are shown around it. */
const [BEFORE, AFTER] = [30, 20]
