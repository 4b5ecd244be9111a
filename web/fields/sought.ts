import { useLayoutEffect, type RefObject } from 'react'
import type { Field } from './field.ts'
import { marksIn, marksInPhone, soughtWords } from './marks.ts'

/*
 * What a quick search has found is marked where it is shown, by a highlight of the browser: the elements stay as they are. A browser that has no
 * such highlights marks nothing.
 */

/** web/ui/pages.css says how it looks. */
const NAME = 'sought'

const SEARCHED = new Set(['text', 'longtext', 'email', 'url', 'list', 'multilist', 'autonumber'])

/** For `data-sought` of what shows a value: how its words are compared. Undefined: the service compares something else than what is shown. */
export const soughtIn = ({ type }: Pick<Field, 'type'>): 'phone' | 'words' | undefined =>
  type === 'phone' ? 'phone' : SEARCHED.has(type) ? 'words' : undefined

/** Marks the words in the elements of a box that have `data-sought`, each time they are drawn. */
export function useSought(box: RefObject<HTMLElement | null>, text: string | undefined): void {
  useLayoutEffect(() => {
    if (can() && text !== undefined && box.current) mark(box.current, text)
  })
  useUnmarking(text)
}

/** The same where parts of the box are drawn without the whole, as the lanes of a board. `isThere`: whether there is a box. */
export function useSoughtInParts(box: RefObject<HTMLElement | null>, text: string | undefined, isThere: boolean): void {
  useLayoutEffect(() => {
    const { current } = box
    if (!can() || text === undefined || !current) return
    mark(current, text)
    const observer = new MutationObserver(() => mark(current, text))
    observer.observe(current, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [text, isThere])
  useUnmarking(text)
}

const can = () => typeof Highlight === 'function'

function useUnmarking(text: string | undefined): void {
  useLayoutEffect(() => {
    if (can() && text !== undefined) return () => void CSS.highlights.delete(NAME)
    return undefined
  }, [text === undefined])
}

function mark(box: HTMLElement, text: string): void {
  const words = soughtWords(text)
  const ranges = [...box.querySelectorAll<HTMLElement>('[data-sought]')].flatMap((element) =>
    rangesIn(element, words, element.dataset['sought'] === 'phone'),
  )
  CSS.highlights.set(NAME, new Highlight(...ranges))
}

function rangesIn(element: HTMLElement, words: readonly string[], isPhone: boolean): Range[] {
  const found: Range[] = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.nodeValue ?? ''
    const digits = isPhone ? marksInPhone(text, words) : []
    for (const [from, to] of digits.length > 0 ? digits : marksIn(text, words)) {
      const range = document.createRange()
      range.setStart(node, from)
      range.setEnd(node, to)
      found.push(range)
    }
  }
  return found
}
