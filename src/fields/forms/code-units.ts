/** Code units that one call makes a text of: each is an argument of it. */
const CHUNK = 8_192

/** The text of these code units, halves of pairs among them. */
export function textOf(units: Uint16Array): string {
  let text = ''
  for (let i = 0; i < units.length; i += CHUNK) text += String.fromCharCode.apply(null, units.subarray(i, i + CHUNK) as unknown as number[])
  return text
}
