const held = new Map()

/** What clients for browsers expect besides what Node has. */
globalThis.localStorage ??= {
  getItem: (name) => held.get(name) ?? null,
  setItem: (name, value) => void held.set(name, value),
  removeItem: (name) => void held.delete(name),
}
