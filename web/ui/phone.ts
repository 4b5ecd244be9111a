import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(max-width: 639.98px)')

/** Whether the window has the width of a phone: cards instead of a grid. */
export const usePhone = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      narrow.addEventListener('change', listener)
      return () => narrow.removeEventListener('change', listener)
    },
    () => narrow.matches,
  )
