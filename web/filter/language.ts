/* The language of filters (docs/filters.md), as far as the builder has to know it: calls of functions with values. */

export type Expression =
  | { readonly is: 'call'; readonly name: string; readonly of: readonly Expression[]; readonly text: string }
  /** A value in quotes. */
  | { readonly is: 'text'; readonly value: string; readonly text: string }
  /** An attribute, a number, or a word such as `today-30`. */
  | { readonly is: 'word'; readonly value: string; readonly text: string }

/** Calls within calls that are read. */
const DEEPEST = 40
/** Characters that are read. */
const LONGEST = 200_000

/** Undefined: it is no expression, or a longer one than is read. Linear in the length of the text. */
export function parse(text: string): Expression | undefined {
  if (text.length > LONGEST) return undefined
  let at = 0
  const blank = () => {
    while (at < text.length && /\s/.test(text[at]!)) at++
  }

  function expression(depth: number): Expression | undefined {
    blank()
    const start = at
    if (text[at] === "'") return quoted(start)
    while (at < text.length && !/[\s,()']/.test(text[at]!)) at++
    const word = text.slice(start, at)
    if (word === '') return undefined
    const end = at
    blank()
    if (text[at] !== '(') {
      at = end
      return { is: 'word', value: word, text: word }
    }
    if (depth >= DEEPEST) return undefined
    at++
    const of: Expression[] = []
    for (;;) {
      const next = expression(depth + 1)
      if (!next) return undefined
      of.push(next)
      blank()
      if (text[at] === ',') at++
      else if (text[at] === ')') {
        at++
        return { is: 'call', name: word, of, text: text.slice(start, at) }
      } else return undefined
    }
  }

  function quoted(start: number): Expression | undefined {
    let value = ''
    for (at++; at < text.length; at++) {
      if (text[at] !== "'") value += text[at]
      else if (text[at + 1] === "'") value += text[at++]
      else {
        at++
        return { is: 'text', value, text: text.slice(start, at) }
      }
    }
    return undefined
  }

  const found = expression(0)
  blank()
  return at === text.length ? found : undefined
}

export const quote = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** Both filters at once; one of them may not be there. */
export const both = (a: string | undefined, b: string | undefined): string | undefined => (a && b ? `and(${a},${b})` : a || b || undefined)
