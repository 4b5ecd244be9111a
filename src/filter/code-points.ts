/*
 * Order by code point, which is the order of UTF-8 bytes and so that of the engines. JavaScript's `<` compares code units instead: it
 * puts U+1F600 before U+FF5E.
 */

/** Negative if `left` comes before `right`, 0 if they are equal, otherwise positive. */
export function compareCodePoints(left: string, right: string): number {
  const end = Math.min(left.length, right.length)
  for (let i = 0; i < end; i++) {
    const [a, b] = [left.charCodeAt(i), right.charCodeAt(i)]
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Moves surrogates above all other units, since their code points are larger. */
const rank = (unit: number): number => (unit < SURROGATES ? unit : unit <= LAST_SURROGATE ? unit + 0x2000 : unit - 0x800)

/**
 * The first text after all texts that begin with `prefix`; undefined if there is none. A text begins with `prefix` exactly if it is
 * `>= prefix` and `< afterPrefix(prefix)`, a range that an index can find.
 */
export function afterPrefix(prefix: string): string | undefined {
  for (let end = prefix.length; end > 0;) {
    const at = lastPoint(prefix, end)
    const next = prefix.codePointAt(at)! + 1
    if (next <= LAST) return prefix.slice(0, at) + String.fromCodePoint(next === SURROGATES ? LAST_SURROGATE + 1 : next)
    end = at
  }
  return undefined
}

/** The offset of the last code point before `end`. */
const lastPoint = (text: string, end: number): number => (end > 1 && text.codePointAt(end - 2)! > 0xffff ? end - 2 : end - 1)

const SURROGATES = 0xd800
const LAST_SURROGATE = 0xdfff
const LAST = 0x10ffff
