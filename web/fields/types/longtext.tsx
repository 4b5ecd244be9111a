import { lineEditor } from '../editors/line.tsx'
import type { FieldType } from '../field-type.ts'

export const longtext: FieldType = {
  icon: 'lines',
  isWide: true,
  show: (text) => text,
  toText: (text) => text,
  read: (text) => ({ value: text }),
  Editor: lineEditor(() => longtext, { isArea: true }),
}
