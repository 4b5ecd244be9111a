/* Into which table a file goes that was dropped on an open one. */

/** Characters of the file that are looked at: its first line. */
export const LOOKED_AT = 65_536

/** The names of the columns of a CSV file; undefined where they cannot be told, as of a workbook, or of letters that are not UTF-8. */
export function headerOf(text: string): readonly string[] | undefined {
  if (/[\0\ufffd]/.test(text)) return undefined
  const [line = ''] = text.replace(/^\ufeff/, '').split(/\r?\n/, 1)
  // JSON lines have no line of names.
  if (line.trim() === '' || line.startsWith('{')) return undefined
  const delimiter = [',', ';', '\t', '|'].map((sign) => [line.split(sign).length, sign] as const).toSorted((a, b) => b[0] - a[0])[0]![1]
  return line.split(delimiter).map((name) =>
    name
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"')
      .trim(),
  )
}

const plain = (name: string) => name.trim().toLocaleLowerCase()

/** Whether each column is one of the table, or the file has its name: `Deals (2).csv` for Deals. What cannot be told counts as the table’s. */
export function isFor(
  file: { readonly name: string; readonly header: readonly string[] | undefined },
  table: string,
  fields: readonly string[],
): boolean {
  const name = file.name
    .replace(/\.[^.]{1,5}$/, '')
    .replaceAll('_', ' ')
    .replace(/ ?\(\d{1,4}\)$/, '')
  if (plain(name) === plain(table) || file.header === undefined) return true
  const known = new Set(fields.map(plain))
  return file.header.every((one) => one === '' || known.has(plain(one)))
}
