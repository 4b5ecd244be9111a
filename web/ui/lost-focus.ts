/** Watches for a focus that gets lost because its element goes away. Returns what ends it. */
export function watchLostFocus({
  remember,
  last,
  mend,
}: {
  /** Is told of each element that gets the focus. */
  remember(target: Element): void
  /** The element whose loss is to be mended. */
  last(): Element | undefined
  mend(): void
}): () => void {
  let frame = 0
  const isLost = () => last()?.isConnected === false && document.activeElement === document.body
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof Element) remember(target)
  }
  const observer = new MutationObserver(() => {
    if (!isLost()) return
    cancelAnimationFrame(frame)
    // A menu or dialog that closes gives the focus back itself, a little later.
    frame = requestAnimationFrame(() => (frame = requestAnimationFrame(() => isLost() && mend())))
  })
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', onFocus)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', onFocus)
    cancelAnimationFrame(frame)
  }
}
