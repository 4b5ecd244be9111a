import { kept } from './kept.ts'

/* Numbers as people write them: with the separators of their language, or as a sum such as =2*19,90. Exact: nothing goes through binary floats. */

/** The most characters of what is read; a longer text is no number. */
const LONGEST = 200
/** The most digits of a number on the way: a sum cannot grow without end. */
const DIGITS = 120

/** A fraction; `d` is above 0. */
interface Exact {
  readonly n: bigint
  readonly d: bigint
}

/** A number with `scale` digits after the point, as the service takes it; undefined where it is none. '' is empty. */
export function readNumber(text: string, locale: string, scale: number): string | undefined {
  if (text.trim() === '') return ''
  const value = exact(text, locale)
  return value && rounded(value, scale)
}

/** A number that has a fraction: a field of whole numbers does not take it, and nobody meant another one. */
export function hasFraction(text: string, locale: string): boolean {
  const value = exact(text, locale)
  return value !== undefined && value.n % value.d !== 0n
}

function exact(text: string, locale: string): Exact | undefined {
  const written = text.trim()
  if (written.length > LONGEST) return undefined
  return written.startsWith('=') ? sum(written.slice(1), locale) : number(written.replace(MONEY, '$1'), locale)
}

/** The sign of a currency before or behind a number, with which spreadsheets copy cells that hold money. */
const MONEY = /^([-+−–]?)\s*(?:\p{Sc}|р\.|руб\.?)|(?:\p{Sc}|р\.|руб\.?)$/giu

const BLANKS = /[\s\u00a0\u202f\u2009'’]/gu

function number(text: string, locale: string): Exact | undefined {
  const plain = text.replace(BLANKS, '').replace(/^[−–]/u, '-')
  const [, sign = '', digits] = /^([-+]?)([\d.,]+)$/.exec(plain) ?? []
  if (digits === undefined || !/\d/.test(digits)) return undefined
  const point = pointOf(digits, locale)
  const [whole = '', part = ''] = point === undefined ? [digits] : splitAt(digits, digits.lastIndexOf(point))
  const others = whole.split(/[.,]/)
  if (/[.,]/.test(part) || (others.length > 1 && (others[0] === '' || others.slice(1).some((group) => group.length !== 3))))
    return undefined
  const n = BigInt(`${others.join('')}${part}` || '0')
  return { n: sign === '-' ? -n : n, d: 10n ** BigInt(part.length) }
}

const splitAt = (text: string, at: number): [string, string] => [text.slice(0, at), text.slice(at + 1)]

/** Which sign stands before the fraction: of two different ones the last; of one the language says, unless it cannot part groups. */
function pointOf(digits: string, locale: string): string | undefined {
  const signs = [...new Set(digits.replace(/\d/g, ''))]
  if (signs.length === 0) return undefined
  const last = /[.,](?=\d*$)/.exec(digits)![0]
  if (signs.length > 1) return last
  const isGroup = locale.startsWith('en') ? last === ',' : last === '.'
  const couldBeGroups =
    digits
      .split(last)
      .slice(1)
      .every((group) => group.length === 3) &&
    !digits.startsWith('0') &&
    !digits.startsWith(last)
  const isRepeated = digits.indexOf(last) !== digits.lastIndexOf(last)
  return isRepeated || (isGroup && couldBeGroups) ? undefined : last
}

/** + - * / and brackets, each character looked at once. */
function sum(text: string, locale: string): Exact | undefined {
  const tokens = text.replace(/(?<=\d)[\s\u00a0\u202f](?=\d)/gu, '').match(/[\d.,'’]+|[-+*/()×÷:−]|\S/gu) ?? []
  let at = 0
  let depth = 0
  const take = (...wanted: readonly string[]) => (wanted.includes(tokens[at] ?? '') ? tokens[at++] : undefined)

  function terms(): Exact | undefined {
    let total = factors()
    for (let sign; total && (sign = take('+', '-', '−'));) {
      const next = factors()
      total =
        next &&
        bounded({ n: sign === '+' ? total.n * next.d + next.n * total.d : total.n * next.d - next.n * total.d, d: total.d * next.d })
    }
    return total
  }
  function factors(): Exact | undefined {
    let product = one()
    for (let sign; product && (sign = take('*', '×', '/', '÷', ':'));) {
      const next = one()
      if (!next) return undefined
      if (sign === '*' || sign === '×') product = bounded({ n: product.n * next.n, d: product.d * next.d })
      else if (next.n === 0n) return undefined
      else product = bounded({ n: product.n * next.d * (next.n < 0n ? -1n : 1n), d: product.d * (next.n < 0n ? -next.n : next.n) })
    }
    return product
  }
  function one(): Exact | undefined {
    if (++depth > LONGEST) return undefined
    if (take('-', '−')) {
      const next = one()
      return next && { n: -next.n, d: next.d }
    }
    if (take('(')) {
      const inner = terms()
      return take(')') ? inner : undefined
    }
    const token = tokens[at++]
    return token === undefined ? undefined : number(token, locale)
  }

  const total = terms()
  return at === tokens.length ? total : undefined
}

function bounded({ n, d }: Exact): Exact | undefined {
  const common = divisor(n < 0n ? -n : n, d)
  const least = { n: n / common, d: d / common }
  return String(least.n).length > DIGITS || String(least.d).length > DIGITS ? undefined : least
}

function divisor(one: bigint, other: bigint): bigint {
  while (other !== 0n) [one, other] = [other, one % other]
  return one === 0n ? 1n : one
}

/** Halves away from zero. */
function rounded({ n, d }: Exact, scale: number): string {
  const factor = 10n ** BigInt(scale)
  const [size, sign] = n < 0n ? [-n, '-'] : [n, '']
  const units = (size * factor * 2n + d) / (d * 2n)
  const digits = String(units).padStart(scale + 1, '0')
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return units === 0n ? text : `${sign}${text}`
}

const formats = kept((key) => {
  const [language, scale, isGrouped] = key.split(' ')
  const digits = { minimumFractionDigits: Number(scale), maximumFractionDigits: Number(scale) }
  return new Intl.NumberFormat(language, { ...digits, useGrouping: isGrouped === 'true' })
})

/** A number as the service gives it, as people write it; `isGrouped`: with separators of thousands. */
export function showNumber(text: string, locale: string, isGrouped = true): string {
  const scale = text.split('.')[1]?.length ?? 0
  // A decimal as text is formatted exactly; a number would lose digits.
  return /^-?\d+(\.\d+)?$/.test(text) ? formats(`${locale} ${scale} ${isGrouped}`).format(text as `${number}`) : text
}
