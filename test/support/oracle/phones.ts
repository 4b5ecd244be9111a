/* Telephone numbers as the oracle compares them (DECISIONS T17), for the countries that its tests use. Without a country: by their digits. */

/** Ways in which a number begins within the country, and how many digits it has behind that. */
interface Rules {
  readonly code: string
  readonly prefix: string
  readonly abroad: readonly string[]
  /** What a number is without any prefix, and its beginning. */
  readonly whole: RegExp
  readonly begun: RegExp
  /** Whether it may be written without the prefix. */
  readonly bare: boolean
}

const countries: Readonly<Record<string, Rules>> = {
  RU: { code: '7', prefix: '8', abroad: ['810', '00'], whole: /^[3-9][0-9]{9}$/, begun: /^(?:[3-9][0-9]{0,9})?$/, bare: true },
  DE: { code: '49', prefix: '0', abroad: ['00'], whole: /^[1-9][0-9]{4,12}$/, begun: /^(?:[1-9][0-9]{0,12})?$/, bare: false },
}
export type PhoneCountry = 'RU' | 'DE'

/** The codes after which a zero in brackets is no part of the number. */
const CODES =
  '20 212 213 233 234 254 27 31 32 33 353 355 358 359 370 373 374 375 377 380 381 382 385 386 387 389 40 41 421 43 44 46 49 51 55 57 58 593 60 61 62 63 64 66 81 82 84 86 880 886 90 91 92 94 964 966 971 972 976 98 994 995 996 423'
const ZERO = new RegExp(`^(${CODES.replaceAll(' ', '|')})0+`)

const digits = (text: string): string => text.replaceAll(/[^0-9]/g, '')

function divided(text: string): { plus: boolean; number: string; rest: string } {
  const [, before = '', number = '', rest = ''] = /^([^0-9]*)([0-9][^#*,;xeд]*)?(.*)$/is.exec(text)!
  return { plus: number !== '' && before.includes('+'), number: digits(number), rest: digits(rest) }
}

const fromAbroad = (number: string): string => number.replace(ZERO, '$1')

export function phoneKey(country: string | undefined, text: string): string {
  const rules = countries[country ?? '']
  if (!rules) return digits(text)
  const { plus, number, rest } = divided(text)
  if (plus) return fromAbroad(number) + rest
  const { code, prefix, abroad, whole, bare } = rules
  for (const way of abroad)
    if (number.startsWith(way) && /^[1-9][0-9]{6,}$/.test(number.slice(way.length))) return fromAbroad(number.slice(way.length)) + rest
  if (number.startsWith(prefix) && whole.test(number.slice(prefix.length))) return code + number.slice(prefix.length) + rest
  return (bare && whole.test(number) ? code : '') + number + rest
}

/** Whether the key of a number has a beginning that the text may be the beginning of. */
export function phoneBegins(country: string | undefined, key: string, text: string): boolean {
  if (key.startsWith(digits(text))) return true
  const rules = countries[country ?? '']
  const { plus, number, rest } = divided(text)
  if (!rules || number === '') return false
  if (plus) return key.startsWith(fromAbroad(number) + rest)
  const { code, prefix, abroad, begun, bare } = rules
  const within =
    number.startsWith(prefix) && begun.test(number.slice(prefix.length)) && key.startsWith(code + number.slice(prefix.length) + rest)
  const without = bare && begun.test(number) && key.startsWith(code + number + rest)
  const beyond = abroad
    .filter((way) => number.startsWith(way) && /^[1-9]/.test(number.slice(way.length)))
    .some((way) => key.startsWith(fromAbroad(number.slice(way.length)) + rest))
  return within || without || beyond
}
