import type { FieldType, ValueContext } from './field-type.ts'
import { inZone, LONGEST_TIME, MIDNIGHT, mustLieBetween, NO_DATE, readTime, timeColumn, timeSchema } from './forms/times.ts'

const EMPTY = `${NO_DATE} ${MIDNIGHT}`

/** Wall-clock time in the zone of the instance. A value with an offset is converted. */
export const datetime: FieldType = {
  name: 'datetime',
  kind: 'time',
  widget: 'datetime',
  says: 'A date and time, YYYY-MM-DD HH:MM:SS, in the time zone of the installation.',
  column: timeColumn,
  maxUnits: LONGEST_TIME,
  settings: ['min', 'max'],
  defaultWords: { today: ({ today }) => today },
  empty: EMPTY,
  hasEmpty: true,
  schema: (settings) => timeSchema('\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d', settings),
  canBeUnique: true,
  guess: { value: /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/, order: 50 },
  parse(value, settings, context) {
    const stored = read(value, context)
    if (stored !== EMPTY) mustLieBetween(stored, settings, (bound) => read(bound, context))
    return stored
  },
  literal: (value, _settings, context) => read(value, context),
  format: (stored) => stored as string,
  examples: [
    ['', EMPTY],
    [EMPTY, EMPTY],
    ['0000-00-00', EMPTY],
    ['2024-05-01 09:30:15', '2024-05-01 09:30:15'],
    ['2024-05-01T09:30:15', '2024-05-01 09:30:15'],
    ['2024-05-01', '2024-05-01 00:00:00'],
    ['2024-02-29 23:59:59', '2024-02-29 23:59:59'],
    ['0001-01-01 00:00:00', '0001-01-01 00:00:00'],
    ['9999-12-31 23:59:59', '9999-12-31 23:59:59'],
    ['1996-07-04 00:00:00.000', '1996-07-04 00:00:00'],
    ['2024-05-01T09:30:15.999', '2024-05-01 09:30:15'],
    ['2024-05-01T09:30:15Z', '2024-05-01 09:30:15'],
    ['2024-05-01T01:30:15+03:00', '2024-04-30 22:30:15'],
    ['2024-12-31T23:30:00-0130', '2025-01-01 01:00:00'],
  ],
  rejects: [
    'yesterday',
    '2024-02-30',
    '2023-02-29 00:00:00',
    '1900-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '0000-01-01',
    '10000-01-01',
    '2024-05-01 24:00:00',
    '2024-05-01 12:60:00',
    '2024-05-01 12:00:60',
    '0000-00-00 00:00:01',
    '2024-5-1',
    '01.05.2024',
    '2024-05-01 ',
    '2024-05-01T10',
    '2024-05-01  10:00:00',
    '2024-05-01 10:00:00 03:00',
    '2024-05-01T10:00:00+24:00',
    '9999-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00+01:00',
    '2024-05-01\n',
    '1714555815',
  ],
}

function read(text: string, { timeZone }: ValueContext): string {
  if (text === '') return EMPTY
  const written = readTime(text)
  return written.zone === '' || written.date === NO_DATE ? `${written.date} ${written.time}` : inZone(written, timeZone)
}
