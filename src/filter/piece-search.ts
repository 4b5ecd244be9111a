/**
 * Returns a test whether a text contains the piece. Its time is linear in the length of the text. `includes` is used for pieces of up to
 * 250 code units, the most that V8 keeps search tables for: with longer ones `includes` can take a second in a text of a million units.
 */
export function finder(piece: string): (text: string) => boolean {
  if (piece.length <= MOST) return (text) => text.includes(piece)
  const units = Uint16Array.from({ length: piece.length }, (_, i) => piece.charCodeAt(i))
  const borders = bordersOf(units)
  return (text) => {
    for (let i = 0, met = 0; text.length - i >= units.length - met; i++) {
      const unit = text.charCodeAt(i)
      while (met > 0 && units[met] !== unit) met = borders[met - 1]!
      if (units[met] === unit && ++met === units.length) return true
    }
    return false
  }
}

/** Code units. */
const MOST = 250

/** The failure function of Knuth, Morris and Pratt: for each position the length of the longest proper prefix that ends there. */
function bordersOf(units: Uint16Array): Uint16Array {
  const borders = new Uint16Array(units.length)
  for (let i = 1, met = 0; i < units.length; i++) {
    while (met > 0 && units[i] !== units[met]) met = borders[met - 1]!
    if (units[i] === units[met]) met++
    borders[i] = met
  }
  return borders
}
