/** Values of a digit. */
const RADIX = 2 ** 11

/**
 * The ids in the ascending order of their numbers, and those of the same number in the order that they have. Numbers are whole, and less than 2^53 apart;
 * undefined: an id has none. Each digit of the numbers takes one pass (radix sort), so that the time is linear.
 */
export function idsByNumber(ids: Uint32Array, numberOf: (id: number) => number | undefined): Uint32Array | undefined {
  const size = ids.length
  let [from, to] = [rowsOf(size), rowsOf(size)]
  from.ids.set(ids)
  let [least, most] = [Infinity, -Infinity]
  for (let i = 0; i < size; i++) {
    const number = numberOf(ids[i]!)
    if (number === undefined) return undefined
    from.numbers[i] = number
    if (number < least) least = number
    if (number > most) most = number
  }
  const places = new Uint32Array(RADIX)
  for (let unit = 1; unit <= most - least; unit *= RADIX) {
    const digitOf = (number: number): number => Math.floor((number - least) / unit) % RADIX
    places.fill(0)
    for (let i = 0; i < size; i++) places[digitOf(from.numbers[i]!)]!++
    for (let [digit, before] = [0, 0]; digit < RADIX; digit++) {
      const count = places[digit]!
      places[digit] = before
      before += count
    }
    for (let i = 0; i < size; i++) {
      const number = from.numbers[i]!
      const place = places[digitOf(number)]!++
      to.ids[place] = from.ids[i]!
      to.numbers[place] = number
    }
    ;[from, to] = [to, from]
  }
  return from.ids
}

const rowsOf = (size: number) => ({ ids: new Uint32Array(size), numbers: new Float64Array(size) })
