/**
 * Puts a text on the clipboard; whether that worked. Browsers give `navigator.clipboard` to secure pages alone (https, this machine): on others
 * a text that is selected for a moment is copied by the command of old. `html`: the same for programs that keep more than text.
 */
export async function copyText(text: string, html?: string): Promise<boolean> {
  const typed = (type: string, content: string) => ({ [type]: new Blob([content], { type }) })
  const both = (more: string) =>
    isDone(() => navigator.clipboard.write([new ClipboardItem({ ...typed('text/plain', text), ...typed('text/html', more) })]))
  if (html !== undefined && (await both(html))) return true
  return (await isDone(() => navigator.clipboard.writeText(text))) || copySelected(text, html)
}

async function isDone(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch {
    return false
  }
}

function copySelected(text: string, html: string | undefined): boolean {
  const focused = document.activeElement
  const area = document.createElement('textarea')
  area.className = 'said'
  area.value = text
  // A dialog holds the focus within itself.
  const place = focused?.closest('[role="dialog"]') ?? document.body
  place.append(area)
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    if (html !== undefined) event.clipboardData?.setData('text/html', html)
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
