/** Values of a digit. */
const RADIX = 2 ** 11
/** Ids of one step, which takes some milliseconds. */
const STEP = 2 ** 17

interface Rows {
  readonly ids: Uint32Array
  /** Of each id: whole, and below 2^52 with either sign. */
  readonly numbers: Float64Array
}

/**
 * The ids in the ascending order of their numbers, and those of the same number in the order that they have, in steps. Each digit of the numbers takes one
 * pass (radix sort), so that the time is linear. `rows`: they are changed.
 */
export function* idsByNumber(rows: Rows): Generator<undefined, Uint32Array> {
  const size = rows.ids.length
  let from = rows
  let to: Rows = { ids: new Uint32Array(size), numbers: new Float64Array(size) }
  let [least, most] = [Infinity, -Infinity]
  for (let begin = 0; begin < size; begin += STEP) {
    for (const number of rows.numbers.subarray(begin, begin + STEP)) {
      if (number < least) least = number
      if (number > most) most = number
    }
    yield
  }
  for (let unit = 1; unit <= most - least; unit *= RADIX) {
    const digitOf = (number: number): number => Math.floor((number - least) / unit) % RADIX
    const places = new Uint32Array(RADIX)
    for (let begin = 0; begin < size; begin += STEP) {
      for (const number of from.numbers.subarray(begin, begin + STEP)) places[digitOf(number)]!++
      yield
    }
    for (let [digit, before] = [0, 0]; digit < RADIX; digit++) {
      const count = places[digit]!
      places[digit] = before
      before += count
    }
    for (let begin = 0; begin < size; begin += STEP) {
      put(from, to, begin, Math.min(size, begin + STEP), (number) => places[digitOf(number)]!++)
      yield
    }
    ;[from, to] = [to, from]
  }
  return from.ids
}

function put(from: Rows, to: Rows, begin: number, end: number, placeFor: (number: number) => number): void {
  for (let i = begin; i < end; i++) {
    const number = from.numbers[i]!
    const place = placeFor(number)
    to.ids[place] = from.ids[i]!
    to.numbers[place] = number
  }
}
