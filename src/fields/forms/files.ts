import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import type { FieldSettings, FieldType, Stored, ValueSchema } from '../field-type.ts'
import { fold, normalized } from '../fold.ts'
import { quoted } from './quoted.ts'

/** The separator of names, in the column and on the wire. */
const BETWEEN = '\r\n'

/** A type whose values are files. The column has their names as they are shown; the store keeps the bytes. */
export const namedFiles = {
  kind: 'set',
  widget: 'files',
  column: { sqlite: 'TEXT', postgres: 'text' },
  settings: ['fileExtensions', 'maxFiles', 'maxKilobytes'],
  maxUnits: limits.listMembers.most * (limits.fileName.most + BETWEEN.length),
  empty: '',
  hasEmpty: true,
  files: true,
  schema({ maxFiles = limits.listMembers.most }: FieldSettings): ValueSchema {
    const items = {
      type: 'object',
      properties: {
        file_name: { type: 'string', minLength: 1, maxLength: limits.fileName.most },
        content: { type: 'string', description: 'The text of the file or, with `binary`, its bytes as base64.' },
        binary: { type: 'boolean', default: false },
      },
      required: ['file_name', 'content'],
    }
    return { shown: { type: 'string' }, sent: { anyOf: [{ type: 'array', items, maxItems: maxFiles }, { const: '' }] } }
  },
  parse(text: string): Stored {
    mustBeNames(text === '' ? [] : text.split(BETWEEN))
    return text
  },
  format: (stored: Stored): string => stored as string,
  key: (stored: Stored): string => fold(stored as string),
  member(name: string): string {
    checkFileName(name)
    return name
  },
} as const satisfies Partial<FieldType>

/** @throws `field.invalid_value` unless these names can be in one field together. */
export function mustBeNames(names: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of names) {
    checkFileName(name)
    // Systems write an accent in different ways. Names that look the same count as the same.
    const form = normalized(name)
    if (seen.has(form)) throw fail('field.invalid_value', { why: `There are two files named ${quoted(name)}.` })
    seen.add(form)
  }
}

/** @throws `field.invalid_value` for a name that a file cannot have (interface 6.6). */
export function checkFileName(name: string): void {
  const why = fault(name)
  if (why) throw fail('field.invalid_value', { why: `${quoted(name)} cannot be the name of a file: ${why}.` })
}

function fault(name: string): string | undefined {
  if (name === '') return 'it is empty'
  if (name === '.' || name === '..') return 'it names a directory'
  if (/[/\\]/.test(name)) return 'it holds a slash'
  if (/\p{Cc}/u.test(name)) return 'it holds a control character'
  if (!name.isWellFormed()) return 'it is not well-formed Unicode'
  return name.length > limits.fileName.most || new TextEncoder().encode(name).length > limits.fileName.most
    ? `it is longer than ${limits.fileName.most} bytes`
    : undefined
}
