import { codesBeforeZero, phonePlans, type PhonePlan } from './phone-plans.ts'

/*
 * The international normal form by which telephone numbers are compared: the digits of E.164 without the plus, then the digits of an
 * extension. A number that no rule fits, such as 101, has its digits as they were typed. '' is no country: then these are all digits.
 */

export const digitsIn = (text: string): string => text.replace(/\D+/g, '')

export const isPhoneCountry = (country: string): boolean => country === '' || phonePlans.has(country)
export const phoneCountries: readonly string[] = [...phonePlans.keys()]

/** The normal form of a whole number; of a text without digits ''. */
export function normalForm(text: string, country: string): string {
  const plan = phonePlans.get(country)
  if (!plan) return digitsIn(text)
  const { main, extension, isInternational } = parted(text)
  return (isInternational ? withoutZero(main) : normalDigits(main, plan)) + extension
}

/**
 * The beginnings, beside its own digits, that the normal form of a number may have which begins with this text. Beginnings in the middle of a
 * prefix, such as the second 0 of 0049, are none.
 */
export function normalBeginnings(text: string, country: string): readonly string[] {
  const plan = phonePlans.get(country)
  const { main, extension, isInternational } = parted(text)
  if (!plan || main === '') return []
  const most = Math.max(...plan.lengths)
  const beyond = (prefix: string) => (main.startsWith(prefix) ? [main.slice(prefix.length)] : [])
  const national = [...plan.trunks.flatMap(beyond), ...(plan.bare.size > 0 ? [main] : [])]
  const found = isInternational
    ? [withoutZero(main)]
    : [
        ...national.filter((rest) => rest.length <= most && mayBegin(rest, plan)).map((rest) => plan.code + rest),
        ...plan.international
          .flatMap(beyond)
          .filter((rest) => rest !== '' && rest[0] !== '0')
          .map(withoutZero),
      ]
  return [...new Set(found.map((one) => one + extension))].filter((one) => one !== main + extension)
}

interface Parted {
  readonly main: string
  readonly extension: string
  /** Whether a plus is before the digits. */
  readonly isInternational: boolean
}

/** The digits before and behind the first mark of an extension that has digits before it. */
function parted(text: string): Parted {
  const first = text.search(/\d/)
  if (first < 0) return { main: '', extension: '', isInternational: false }
  const mark = text.slice(first).search(/[#*,;xeд]/i)
  const end = mark < 0 ? text.length : first + mark
  return {
    main: digitsIn(text.slice(first, end)),
    extension: digitsIn(text.slice(end)),
    isInternational: text.slice(0, first).includes('+'),
  }
}

/** Digits after a country code that is dialled may begin with the 0 of (0), which is no part of the number. */
function withoutZero(digits: string): string {
  for (let length = 1; length <= 3; length++) {
    if (digits[length] === '0' && codesBeforeZero.has(digits.slice(0, length)))
      return digits.slice(0, length) + digits.slice(length).replace(/^0+/, '')
  }
  return digits
}

/** Digits that must follow an international prefix, at least. */
const SHORTEST = 7

function normalDigits(digits: string, plan: PhonePlan): string {
  for (const prefix of plan.international) {
    const rest = digits.startsWith(prefix) ? digits.slice(prefix.length) : ''
    if (rest.length >= SHORTEST && rest[0] !== '0') return withoutZero(rest)
  }
  for (const trunk of plan.trunks) {
    const rest = digits.startsWith(trunk) ? digits.slice(trunk.length) : ''
    if (plan.lengths.has(rest.length) && mayBegin(rest, plan)) return plan.code + rest
  }
  return plan.bare.has(digits.length) && mayBegin(digits, plan) ? plan.code + digits : digits
}

const mayBegin = (national: string, { least }: PhonePlan): boolean => national === '' || national[0]! >= least
