/** The outer and the inner quotes of each language. */
const QUOTES = { en: ['“', '”', '‘', '’'], ru: ['«', '»', '„', '“'] } as const

/** Quotes within quotes: `«ООО «Уют»»` is `«ООО „Уют“»`, and “Firm “Cosy”” is “Firm ‘Cosy’”. Where they do not close, the text stays as it is. */
export function nestedQuotes(text: string, language: keyof typeof QUOTES): string {
  const [open, close, innerOpen, innerClose] = QUOTES[language]
  if (!text.includes(open, text.indexOf(open) + 1)) return text
  let depth = 0
  const nested = text.replace(/[«»“”]/g, (sign) => {
    if (sign !== open && sign !== close) return sign
    const level = sign === open ? ++depth : depth--
    if (level < 1) depth = Number.NaN
    return level < 2 ? sign : sign === open ? innerOpen : innerClose
  })
  return depth === 0 ? nested : text
}
