import { lineEditor } from '../editors/line.tsx'
import type { FieldType } from '../field-type.ts'

export const text: FieldType = {
  icon: 'text',
  show: (text) => text,
  toText: (text) => text,
  read: (text) => ({ value: text.trim() }),
  Editor: lineEditor(() => text),
}
