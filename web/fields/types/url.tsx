import { lineEditor } from '../editors/line.tsx'
import type { FieldType } from '../field-type.ts'

/** Only addresses of the web are followed: a value may be `javascript:…`. */
function linked(text: string) {
  const address = /^https?:\/\//i.test(text) ? text : /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(text) ? `https://${text}` : undefined
  return address === undefined ? (
    text
  ) : (
    <a className="ref" href={address} target="_blank" rel="noopener noreferrer">
      {text}
    </a>
  )
}

export const url: FieldType = {
  icon: 'link',
  hasLinks: true,
  show: (text) => linked(text),
  toText: (text) => text,
  read: (text) => ({ value: text.trim() }),
  Editor: lineEditor(() => url, { type: 'url', inputMode: 'url' }),
}
