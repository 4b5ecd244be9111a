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
  Editor: lineEditor(() => phone, { type: 'tel', inputMode: 'tel' }),
}
