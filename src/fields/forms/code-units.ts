/** Code units of one call of fromCharCode, each an argument. */
const CHUNK = 8_192

/** The text of these code units, which may contain lone surrogates. */
export function textOf(units: Uint16Array): string {
  let text = ''
  for (let i = 0; i < units.length; i += CHUNK) text += String.fromCharCode.apply(null, units.subarray(i, i + CHUNK) as unknown as number[])
  return text
}
