import { useRef, useState } from 'react'

export interface Doing {
  readonly is: 'rest' | 'saving' | 'saved' | 'refused'
  readonly error?: unknown
  /** Tells whether it was done. */
  run(work: () => Promise<unknown>): Promise<boolean>
  forget(): void
}

/** Changes one after another, each when the one before has ended, with what became of the last. */
export function useDoing(): Doing {
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const [{ is, error }, put] = useState<{ is: Doing['is']; error?: unknown }>({ is: 'rest' })
  return {
    is,
    error,
    forget: () => put({ is: 'rest' }),
    async run(work) {
      const before = last.current
      const mine = before.then(() => (put({ is: 'saving' }), work()))
      last.current = mine.catch(() => undefined)
      try {
        await mine
        put({ is: 'saved' })
        return true
      } catch (failure) {
        put({ is: 'refused', error: failure })
        return false
      }
    },
  }
}
