import { outboxNow, whenOutboxChanges } from '../api/outbox.ts'

/** What is open in an editor is saved as by Enter. `tell`: once all is saved; not while something cannot be. */
export function saveNow(tell: () => void): void {
  const { activeElement } = document
  const field = activeElement?.closest('.field.edit')
  if (activeElement instanceof HTMLElement && activeElement.closest('.field.edit, .cell.edit')) activeElement.blur()
  requestAnimationFrame(() => {
    field?.querySelector<HTMLElement>('.change')?.focus()
    if (document.querySelector(':is(.field, .cell).edit [aria-invalid=true]')) return
    const isSaved = () => outboxNow().unsaved === 0
    if (isSaved()) return tell()
    const stop = whenOutboxChanges(() => {
      if (!isSaved()) return
      stop()
      tell()
    })
  })
}
