import { useEffect } from 'react'
import { linesOf, type Lines } from './lines.ts'
import { at, type Range, type Selection } from './selection.ts'

/** Folds groups away and opens them. What is chosen always has a line, so that nobody changes or deletes what they do not see. */
export function useFolding(
  { lines, folded, fold }: { readonly lines: Lines; readonly folded: ReadonlySet<string>; fold(values: ReadonlySet<string>): void },
  {
    rows,
    range,
    selection,
    onSelect,
  }: { readonly rows: number; readonly range: Range; readonly selection: Selection; onSelect(selection: Selection): void },
): { foldAll(isFolded: boolean): void; onFold(value: string): void } {
  const { heads } = lines
  const isChosen = ({ from, count }: (typeof heads)[number]) => range.top >= 0 && range.top < from + count && range.bottom >= from

  useEffect(() => {
    const hidden = new Set(heads.filter((head) => head.isFolded && isChosen(head)).map(({ value }) => value))
    if (hidden.size > 0) fold(new Set([...folded].filter((value) => !hidden.has(value))))
  }, [selection, lines])

  return {
    foldAll(isFolded) {
      fold(new Set(isFolded ? heads.map(({ value }) => value) : []))
      if (isFolded) onSelect(at(-1, selection.at.col))
    },
    onFold(value) {
      const after = new Set(folded)
      if (!after.delete(value)) after.add(value)
      fold(after)
      if (!heads.some((head) => head.value === value && !head.isFolded && isChosen(head))) return
      const left = linesOf(
        rows,
        heads.map((head) => ({ ...head, isFolded: after.has(head.value) })),
      )
      onSelect(at(left.nearest(range.top, 1) ?? left.nearest(range.top, -1) ?? -1, selection.at.col))
    },
  }
}
