/** A table, numbers to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const right = head.map((_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === 'number' || /^[\d–<]/.test(String(row[i]))))
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => (typeof cell === 'number' ? figure(cell) : cell)).join(' | ')} |`
  return [line(head), `|${right.map((one) => (one ? '--:' : '---')).join('|')}|`, ...rows.map(line)].join('\n')
}

/** As many digits as one can believe. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

export const percent = (share: number): string => `${(share * 100).toFixed(0)} %`

/** Whether a bar is met. */
export const verdict = (bar: string, met: boolean): string => `${bar}: ${met ? 'met' : '**missed**'}`

/** Puts a result into a page between its markers, or behind the last one of the same question. */
export function placed(text: string, question: string, rows: number, result: string): string {
  const block = `<!-- bench ${question} ${rows} -->\n\n${result}\n\n<!-- end -->`
  const own = new RegExp(`<!-- bench ${question} ${rows} -->[^]*?<!-- end -->`)
  if (own.test(text)) return text.replace(own, () => block)
  const last = [...text.matchAll(new RegExp(`<!-- bench ${question}( \\d+)? -->[^]*?<!-- end -->`, 'g'))].at(-1)
  if (!last) throw new Error(`The page has no place for '${question}'.`)
  // A place without a size is one that was never filled.
  if (last[1] === undefined) return text.replace(last[0], () => block)
  const end = last.index + last[0].length
  return `${text.slice(0, end)}\n\n${block}${text.slice(end)}`
}
