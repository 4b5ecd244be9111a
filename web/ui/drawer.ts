import { useSyncExternalStore } from 'react'

/* Whether the list of tables is shown: on a wide screen it is there unless hidden, on a phone it comes over the page when asked for. */

interface Drawer {
  readonly isNarrow: boolean
  readonly isOpen: boolean
}

let drawer: Drawer = { isNarrow: false, isOpen: false }
const listeners = new Set<() => void>()

const put = (next: Partial<Drawer>) => {
  drawer = { ...drawer, ...next }
  for (const listener of listeners) listener()
}

export const toggleDrawer = (): void =>
  matchMedia('(max-width: 639px)').matches ? put({ isOpen: !drawer.isOpen }) : put({ isNarrow: !drawer.isNarrow })

export const closeDrawer = (): void => put({ isOpen: false })

export const useDrawer = (): Drawer =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => drawer,
  )
