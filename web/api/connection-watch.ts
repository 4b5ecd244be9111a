import { send } from './client.ts'
import { isConnectionLost, onConnection } from './connection.ts'

/** Milliseconds between questions whether the service is back. */
const PAUSE = 2000

/** The browser knows first; what it says is asked of the service itself, which may be on this machine. */
export function watchConnection({
  tryNow,
  show,
  isHeld,
}: {
  /** Sends what waits. */
  tryNow(): void
  show(): void
  isHeld(): boolean
}): void {
  let asking: ReturnType<typeof setTimeout> | undefined
  const ask = (): void => {
    asking = setTimeout(() => {
      send('GET', 'me').catch(() => isConnectionLost() && ask())
    }, PAUSE)
  }
  const look = () => send('GET', 'me').then(tryNow, () => undefined)
  let watching: ReturnType<typeof setTimeout> | undefined
  // Answers may still come to what was asked before the connection went, and tell that the service is there.
  const watch = (): void => {
    clearTimeout(watching)
    if (navigator.onLine) return
    if (!isConnectionLost()) void look()
    watching = setTimeout(watch, PAUSE)
  }
  addEventListener('online', () => void look())
  addEventListener('offline', watch)
  onConnection(() => {
    show()
    clearTimeout(asking)
    // While it is away it is asked; when it is back, what waits is sent soon.
    if (isConnectionLost()) ask()
    else if (isHeld()) asking = setTimeout(tryNow, PAUSE / 2)
  })
}
