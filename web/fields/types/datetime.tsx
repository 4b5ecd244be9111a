import { lineEditor } from '../editors/line.tsx'
import type { FieldType } from '../field-type.ts'
import { dayOrTime, readDateTime, writtenDate } from '../dates.ts'
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
    if (value !== undefined) return { value }
    const day = dayOrTime(text, locale, now)
    return {
      error: day
        ? say('dayOrTime', { day: writtenDate(day, locale), time: text.trim().replace('.', ':') })
        : say('notADate', { example: writtenDate('2026-12-31 18:30:00', locale) }),
    }
  },
  Editor: lineEditor(() => datetime, { withDay: true }),
}
