import { fail } from '../errors.ts'
import type { FieldType } from './field-type.ts'
import { quoted } from './forms/quoted.ts'
import { LONGEST_TIME, MIDNIGHT, mustLieBetween, NO_DATE, readTime, timeColumn, timeSchema } from './forms/times.ts'

/** A calendar day without a time zone. A zone sent with it is ignored. */
export const date: FieldType = {
  name: 'date',
  kind: 'time',
  widget: 'datetime',
  says: 'A date, YYYY-MM-DD.',
  column: timeColumn,
  maxUnits: LONGEST_TIME,
  settings: ['min', 'max'],
  defaultWords: { today: ({ today }) => today },
  empty: NO_DATE,
  hasEmpty: true,
  schema: (settings) => timeSchema('\\d{4}-\\d\\d-\\d\\d', settings),
  canBeUnique: true,
  // Databases write days with a midnight that says nothing.
  guess: { value: /^\d{4}-\d{2}-\d{2}(?: 00:00:00(?:\.0{1,9})?)?$/, order: 40 },
  parse(value, settings) {
    const stored = read(value)
    if (stored !== NO_DATE) mustLieBetween(stored, settings, read)
    return stored
  },
  literal: read,
  format: (stored) => stored as string,
  examples: [
    ['', NO_DATE],
    [NO_DATE, NO_DATE],
    ['0000-00-00 00:00:00', NO_DATE],
    ['2024-02-29', '2024-02-29'],
    ['0001-01-01', '0001-01-01'],
    ['9999-12-31', '9999-12-31'],
    ['2024-05-01 00:00:00', '2024-05-01'],
    ['2024-05-01T00:00:00.000Z', '2024-05-01'],
  ],
  rejects: [
    'today',
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '0000-01-01',
    '10000-01-01',
    '2024-05-01 09:30:15',
    '2024-05-01T00:00:01Z',
    '2024-5-1',
    '01.05.2024',
    '20240501',
    '2024-05-01 ',
    '2024-05-01\n',
  ],
}

/** @throws for a time of day other than 00:00:00, which would be lost. */
function read(text: string): string {
  if (text === '') return NO_DATE
  const written = readTime(text)
  if (written.time !== MIDNIGHT)
    throw fail('field.invalid_value', { why: `${quoted(text)} has a time of day, and this field holds a date alone.` })
  return written.date
}
