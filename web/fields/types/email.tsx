import { say } from '../../i18n/words.ts'
import { breakable } from '../breakable.tsx'
import { looksLikeMail } from '../doubts.ts'
import { lineEditor } from '../editors/line.tsx'
import type { FieldType } from '../field-type.ts'

export const email: FieldType = {
  icon: 'mail',
  hasLinks: true,
  show: (text) => (
    <a className="ref" href={`mailto:${encodeURIComponent(text)}`}>
      {breakable(text)}
    </a>
  ),
  toText: (text) => text,
  read: (text) => ({ value: text.trim() }),
  doubt: (text) => (looksLikeMail(text) ? undefined : say('doubtMail')),
  Editor: lineEditor(() => email, { type: 'email', inputMode: 'email' }),
}
