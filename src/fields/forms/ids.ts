import { fail, type Failure } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FieldType, Stored, Target, ValueSchema } from '../field-type.ts'
import { LONGEST_NUMBER, wholeColumn } from './numbers.ts'
import { quoted } from './quoted.ts'

/*
 * Values that are ids: one id in an integer column, 0 for none; several ids as text '-4-7-', '' for none. The store checks whether they
 * exist.
 */

/** A type whose value is one id. */
export const oneId = (target: Target) =>
  ({
    kind: 'number',
    widget: 'reference',
    column: wholeColumn,
    maxUnits: LONGEST_NUMBER,
    empty: 0,
    hasEmpty: true,
    target,
    schema: (): ValueSchema => ({
      shown: { type: 'string', pattern: '^\\d{1,16}$' },
      sent: { type: ['string', 'integer'], pattern: '^\\d*$' },
    }),
    parse: (text: string): Stored => (/^0*$/.test(text) ? 0 : readId(text, target)),
    format: (stored: Stored): string => String(stored),
    ids: (stored: Stored): readonly number[] => (Number(stored) === 0 ? [] : [Number(stored)]),
    examples: [
      ['0', '0'],
      ['', '0'],
      ['42', '42'],
      ['007', '7'],
      ['9007199254740991', '9007199254740991'],
    ],
    rejects: ['-1', '1.5', 'Anna', '9007199254740992', '1e3', ' 1', '1\n', '-4-7-', '١'],
  }) as const satisfies Partial<FieldType>

/** Digits of the largest id. */
const DIGITS = String(Number.MAX_SAFE_INTEGER).length

/** A type whose value is several ids in the order sent. Repeated ids are dropped. */
export const severalIds = (target: Target) =>
  ({
    kind: 'set',
    widget: 'reference',
    column: { sqlite: 'TEXT', postgres: 'text' },
    maxUnits: limits.ids.most * (DIGITS + 1) + 1,
    empty: '',
    hasEmpty: true,
    target,
    schema: (): ValueSchema => ({
      shown: { type: 'string', pattern: '^$|^-(\\d{1,16}-)+$' },
      sent: {
        anyOf: [
          { type: 'string', pattern: '^$|^\\d+$|^(-\\d+)+-$' },
          { type: 'array', items: { type: ['string', 'integer'], pattern: '^\\d+$' }, maxItems: limits.ids.most },
        ],
      },
    }),
    parse(text: string): Stored {
      if (text === '') return ''
      // A single id may come without hyphens.
      if (!/^(?:-\d+)+-$|^\d+$/.test(text))
        throw fail('field.invalid_value', { why: `${quoted(text)} is not a list of ids, such as -4-7-.` })
      const ids = text.startsWith('-') ? text.slice(1, -1).split('-') : [text]
      // The store looks up every id, so their number is bounded.
      if (ids.length > limits.ids.most) throw fail('field.invalid_value', { why: `A value names at most ${limits.ids.most} ids.` })
      return `-${[...new Set(ids.map((id) => idOf(id, target)))].join('-')}-`
    },
    format: (stored: Stored): string => stored as string,
    member: (text: string): string => `-${readId(text, target)}-`,
    ids: (stored: Stored): readonly number[] => (stored === '' ? [] : (stored as string).slice(1, -1).split('-').map(Number)),
    examples: [
      ['', ''],
      ['-4-7-', '-4-7-'],
      ['-7-4-', '-7-4-'],
      ['5', '-5-'],
      ['-4-7-4-', '-4-7-'],
      ['-9007199254740991-', '-9007199254740991-'],
    ],
    rejects: ['-', '--', '0', '-0-', '-4-7', '4-7-', '4,7', '-4--7-', '-a-', '-1.5-', '-9007199254740992-', '- 4 -', '-4-\n'],
  }) as const satisfies Partial<FieldType>

function readId(text: string, target: Target): number {
  if (text.length > LONGEST_NUMBER || !/^\d+$/.test(text)) throw noId(text, target)
  return idOf(text, target)
}

/** `digits`: one or more digits. @throws `field.invalid_value` for 0 and for numbers larger than any id */
function idOf(digits: string, target: Target): number {
  const id = digits.length <= LONGEST_NUMBER ? Number(digits) : 0
  if (id < 1 || id > Number.MAX_SAFE_INTEGER) throw noId(digits, target)
  return id
}

const noId = (text: string, target: Target): Failure =>
  fail('field.invalid_value', { why: `${quoted(text)} is not the id of a ${target}.` })
