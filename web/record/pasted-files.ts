import { nowHere } from '../fields/dates.ts'

/**
 * Tells of files, such as a picture of the screen, that are pasted for the place of files `box`: where the focus is in it, or, if the record has no other
 * such place, anywhere on the record but in a text that is being typed. Returns what ends it.
 */
export function whenPasted(box: () => Element | null, take: (files: readonly File[]) => void): () => void {
  const listener = (event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    const place = box()
    // A cell of a spreadsheet comes as a picture too: it is text.
    if (event.defaultPrevented || files.length === 0 || !place || event.clipboardData?.types.includes('text/plain')) return
    const target = event.target instanceof Element ? event.target : document.body
    const record = place.closest('.record-panel, main')
    const isAlone = record?.querySelectorAll('.files').length === 1
    const isTyping = target.closest('input, textarea, [role=dialog]') !== null
    const isHere = place.contains(target) || (isAlone && !isTyping && (target === document.body || record.contains(target)))
    if (!isHere) return
    event.preventDefault()
    take(files.map(named))
  }
  document.addEventListener('paste', listener)
  return () => document.removeEventListener('paste', listener)
}

/** Browsers call each picture of the screen `image.png`: a second one would be refused. */
function named(file: File): File {
  const [, extension] = /^image\.(\w+)$/.exec(file.name) ?? []
  return extension === undefined ? file : new File([file], `${nowHere().replace(/:/g, '-')}.${extension}`, { type: file.type })
}
