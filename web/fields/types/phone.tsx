import { say } from '../../i18n/words.ts'
import { looksLikePhone } from '../doubts.ts'
import { lineEditor } from '../editors/line.tsx'
import type { FieldType } from '../field-type.ts'

export const phone: FieldType = {
  icon: 'phone',
  hasLinks: true,
  show: (text) => (
    <a className="ref" href={`tel:${text.replace(/[^\d+]/g, '')}`}>
      {text}
    </a>
  ),
  toText: (text) => text,
  read: (text) => ({ value: text.trim() }),
  doubt: (text) => (looksLikePhone(text) ? undefined : say('doubtPhone')),
  Editor: lineEditor(() => phone, { type: 'tel', inputMode: 'tel' }),
}
