/**
 * Puts a text on the clipboard; whether that worked. Browsers give `navigator.clipboard` to secure pages alone (https, this machine): on others
 * a text that is selected for a moment is copied by the command of old.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelected(text)
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.className = 'said'
  area.value = text
  // A dialog holds the focus within itself.
  const place = focused?.closest('[role="dialog"]') ?? document.body
  place.append(area)
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  window.addEventListener('copy', give, true)
  try {
    area.select()
    return document.execCommand('copy')
  } finally {
    window.removeEventListener('copy', give, true)
    area.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  }
}
