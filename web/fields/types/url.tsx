import { say } from '../../i18n/words.ts'
import { breakable } from '../breakable.tsx'
import { looksLikeAddress } from '../doubts.ts'
import { lineEditor } from '../editors/line.tsx'
import type { FieldType } from '../field-type.ts'
import { shownAddress } from '../seams.ts'

/** Only addresses that are known to be harmless are followed: a value may be `javascript:…`. */
function linked(text: string, said: string) {
  const isBare = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+(?::\d{1,5})?(?:[/?#]\S*)?$/u.test(text)
  const address = /^(?:https?:\/\/|mailto:|tel:)/i.test(text) ? text : isBare ? `https://${text}` : undefined
  return address === undefined ? (
    text
  ) : (
    <a className="ref" href={address} target="_blank" rel="noopener noreferrer">
      {breakable(said)}
    </a>
  )
}

export const url: FieldType = {
  icon: 'link',
  hasLinks: true,
  show: (text, _field, _titleOf, said = text) => linked(text, said),
  brief: shownAddress,
  toText: (text) => text,
  read: (text) => ({ value: text.trim() }),
  doubt: (text) => (looksLikeAddress(text) ? undefined : say('doubtAddress')),
  Editor: lineEditor(() => url, { type: 'url', inputMode: 'url' }),
}
