import { useEffect } from 'react'
import { allFolded, folded, isFolded, type Folding } from './folding.ts'
import { linesOf, type Lines } from './lines.ts'
import { at, type Range, type Selection } from './selection.ts'

/** Folds groups away and opens them. What is chosen always has a line, so that nobody changes or deletes what they do not see. */
export function useFolding(
  { lines, folding, fold }: { readonly lines: Lines; readonly folding: Folding; fold(folding: Folding): void },
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
    const hidden = heads.filter((head) => head.isFolded && isChosen(head)).map(({ value }) => value)
    if (hidden.length > 0) fold(folded(folding, hidden, false))
  }, [selection, lines])

  return {
    foldAll(areFolded) {
      fold(allFolded(areFolded))
      if (areFolded) onSelect(at(-1, selection.at.col))
    },
    onFold(value) {
      const after = folded(folding, [value], !isFolded(folding, value))
      fold(after)
      if (!heads.some((head) => head.value === value && !head.isFolded && isChosen(head))) return
      const left = linesOf(
        rows,
        heads.map((head) => ({ ...head, isFolded: isFolded(after, head.value) })),
      )
      onSelect(at(left.nearest(range.top, 1) ?? left.nearest(range.top, -1) ?? -1, selection.at.col))
    },
  }
}
