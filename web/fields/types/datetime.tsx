import { lineEditor } from '../editors/line.tsx'
import type { FieldType } from '../field-type.ts'
import { readDateTime, writtenDate } from '../dates.ts'
import { shownDateTime } from '../plain.ts'
import { say } from '../../i18n/words.ts'

export const datetime: FieldType = {
  icon: 'when',
  show: (text) => {
    const shown = shownDateTime(text)
    return shown === '' ? null : <time dateTime={text}>{shown}</time>
  },
  toText: (text, _, __, { locale }) => writtenDate(text, locale),
  read(text, _, { locale, now }) {
    const value = readDateTime(text, locale, now)
    return value === undefined ? { error: say('notADate', { example: writtenDate('2026-12-31 18:30:00', locale) }) } : { value }
  },
  Editor: lineEditor(() => datetime, { withDay: true }),
}
