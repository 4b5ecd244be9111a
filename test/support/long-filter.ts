/** A filter of just so many characters, some thousands at most, that asks for values of one attribute in the longest pieces there may be. */
export function longFilter(length: number, attribute: string, letter = 'x'): string {
  const head = `in(${attribute},`
  const rest = length - head.length
  const values = Math.ceil(rest / 1_003)
  const sizes = Array.from({ length: values }, (_, i) => Math.floor((rest + i) / values) - 3)
  return `${head}${sizes.map((size) => `'${letter.repeat(size)}'`).join(',')})`
}
