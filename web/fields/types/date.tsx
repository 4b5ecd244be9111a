import { lineEditor } from '../editors/line.tsx'
import type { FieldType } from '../field-type.ts'
import { readDate, writtenDate } from '../dates.ts'
import { shownDate } from '../plain.ts'
import { say } from '../../i18n/words.ts'

export const date: FieldType = {
  icon: 'calendar',
  show: (text) => {
    const shown = shownDate(text)
    return shown === '' ? null : <time dateTime={text}>{shown}</time>
  },
  toText: (text, _, __, { locale }) => writtenDate(text, locale),
  read(text, _, { locale, now }) {
    const value = readDate(text, locale, now.slice(0, 10))
    return value === undefined ? { error: say('notADate', { example: writtenDate('2026-12-31', locale) }) } : { value }
  },
  Editor: lineEditor(() => date, { withDay: true }),
}
