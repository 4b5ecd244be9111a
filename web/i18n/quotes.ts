/** Russian quotes within quotes: `«ООО «Уют»»` is `«ООО „Уют“»`. Where they do not close, the text stays as it is. */
export function nestedQuotes(text: string): string {
  if (!text.includes('«', text.indexOf('«') + 1)) return text
  let depth = 0
  const nested = text.replace(/[«»]/g, (sign) => {
    const level = sign === '«' ? ++depth : depth--
    if (level < 1) depth = Number.NaN
    return level < 2 ? sign : sign === '«' ? '„' : '“'
  })
  return depth === 0 ? nested : text
}
