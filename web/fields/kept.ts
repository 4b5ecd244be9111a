/** Formats that are kept: of a language and a scale each. */
const MOST = 100

/** What is made of a key, kept: to make a format of `Intl` costs far more than to use it, and a grid uses one for each cell. */
export function kept<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    if (made.size >= MOST) made.clear()
    const one = make(key)
    made.set(key, one)
    return one
  }
}
