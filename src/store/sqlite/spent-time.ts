export interface SpentTime {
  /** Adds the time that the work takes. */
  of<T>(work: () => Promise<T>): Promise<T>
  milliseconds(): number
}

export function spentTime(): SpentTime {
  let spent = 0
  return {
    async of(work) {
      const began = performance.now()
      try {
        return await work()
      } finally {
        spent += performance.now() - began
      }
    },
    milliseconds: () => spent,
  }
}
