/** The names of columns, and which of them have none in the file. */
export interface Headers {
  readonly header: readonly string[]
  /** Places, from 0. */
  readonly nameless: ReadonlySet<number>
}

/** Columns without a name are called by their place, `Column 3`; the second one of a name has a number behind it, `Name 2`. */
export function namedColumns(cells: readonly string[]): Headers {
  const names = cells.map((cell) => cell.trim())
  const taken = new Set(names)
  const met = new Set<string>()
  const nameless = new Set<number>()
  /** By name, the number that was given last: a thousand columns of one name are not tried from the first again. */
  const given = new Map<string, number>()
  const header = names.map((name, i) => {
    if (name === '') nameless.add(i)
    if (name !== '' && !met.has(name)) return met.add(name) && name
    const wanted = name === '' ? `Column ${i + 1}` : name
    for (let n = (given.get(wanted) ?? (name === '' ? 0 : 1)) + 1; ; n++) {
      const candidate = n === 1 ? wanted : `${wanted} ${n}`
      if (taken.has(candidate)) continue
      given.set(wanted, n)
      taken.add(candidate)
      return candidate
    }
  })
  return { header, nameless }
}

/** The column that was typed: its name or, as `#3`, its place from 1. */
export function columnTyped(header: readonly string[], typed: string): string {
  if (header.includes(typed)) return typed
  const place = /^#([1-9]\d{0,5})$/.exec(typed)?.[1]
  return place === undefined ? typed : (header[Number(place) - 1] ?? typed)
}
