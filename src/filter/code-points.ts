/*
 * Texts in the order of their code points, which is the order of their UTF-8 bytes and so that of the engines. The
 * order of JavaScript's `<` is another: it puts U+1F600 before U+FF5E.
 */

/** Negative, zero or positive, as `left` comes before, with or after `right`. */
export function compareCodePoints(left: string, right: string): number {
  const end = Math.min(left.length, right.length)
  for (let i = 0; i < end; i++) {
    const [a, b] = [left.charCodeAt(i), right.charCodeAt(i)]
    if (a !== b) return rank(a) - rank(b)
  }
  return left.length - right.length
}

/** Surrogates stand for code points above all that a single unit stands for. */
const rank = (unit: number): number => (unit < SURROGATES ? unit : unit <= LAST_SURROGATE ? unit + 0x2000 : unit - 0x800)

/**
 * The least text after all that begin with `prefix`; undefined where no text comes after them. So a text begins with
 * `prefix` exactly if it is `>= prefix` and `< afterPrefix(prefix)`, which an index can answer.
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

/** Where the last code point before an end begins. */
const lastPoint = (text: string, end: number): number => (end > 1 && text.codePointAt(end - 2)! > 0xffff ? end - 2 : end - 1)

const SURROGATES = 0xd800
const LAST_SURROGATE = 0xdfff
const LAST = 0x10ffff
