import type { ColumnPart } from '../api/views.ts'

/*
 * The columns of a list as an address says them: `*,f4>f1.240~:sum!,-f5`. `*`: fields that are not named are shown too, where the table has them; the
 * others are those that a person has changed. Without `*` the named fields are all columns, as before there was one.
 * Behind the name: `>` and the field behind which it was put (nothing: it is the first), the width behind a point, `~` where long values are wrapped,
 * `:` and what is computed below it, `!` where it is the last one that is frozen. `-` before it: it is hidden. `*!`: none is frozen.
 */

/** An attribute: that of a field, or one that every record has. */
const NAME = 'f\\d{1,15}|[a-z]{3,10}_[a-z]{2,10}'
const PART = new RegExp(`^(-?)(${NAME})(?:(>)(${NAME})?)?(?:\\.(\\d{1,4}))?(~?)(?::([a-z]{1,20}))?(!?)$`)
/** More parts than fields that a table may have. */
const MOST = 1000

/** Whether fields that are not named are shown too. */
export const isOpen = (parts: readonly ColumnPart[]): boolean => parts.some(({ attribute }) => attribute === '*')

/** Parts that say nothing are left out. */
export function partsOf(text: string | undefined): readonly ColumnPart[] {
  const texts = (text ?? '').split(',', MOST)
  const parts = texts.flatMap((one): readonly (ColumnPart & { readonly isMarked?: boolean })[] => {
    if (one === '*' || one === '*!') return [{ attribute: '*', ...(one === '*!' && { frozen: false }) }]
    const [, hidden, attribute, put, after = '', width, wrap, figure, mark] = PART.exec(one) ?? []
    if (attribute === undefined) return []
    return [
      {
        attribute,
        ...(width && { width: Number(width) }),
        ...(wrap && { wrap: true }),
        ...(figure && { figure }),
        ...(hidden && { hidden: true }),
        ...(put && { after }),
        ...(mark && { isMarked: true }),
      },
    ]
  })
  const last = parts.findIndex(({ isMarked }) => isMarked)
  const isFrozen = (at: number) => (isOpen(parts) ? at === last : at <= last)
  return parts.map(({ isMarked: _, ...part }, i) => (isFrozen(i) ? { ...part, frozen: true } : part))
}

export const textOf = (parts: readonly ColumnPart[]): string =>
  parts
    .map(({ attribute, width, wrap, frozen, figure, hidden, after }, i) => {
      if (attribute === '*') return frozen === false ? '*!' : '*'
      const put = after === undefined ? '' : `>${after}`
      const isLast = frozen && !parts[i + 1]?.frozen
      return `${hidden ? '-' : ''}${attribute}${put}${width ? `.${width}` : ''}${wrap ? '~' : ''}${figure ? `:${figure}` : ''}${isLast ? '!' : ''}`
    })
    .join(',')
