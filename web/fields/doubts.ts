/* Whether texts look like what their fields are for. The service knows exactly (src/fields); these tell what it would refuse while a person types. */

/** Signs that no address of a mailbox has, but for those of its name. */
const NOT_OF_MAIL = /[\s<>()[\]\\,;:"]/

export function looksLikeMail(text: string): boolean {
  const parts = text.split('@')
  const labels = (parts[1] ?? '').split('.')
  return parts.length === 2 && parts[0] !== '' && !NOT_OF_MAIL.test(text) && labels.length > 1 && labels.every(isLabel)
}

/** A part of the name of a host. */
const isLabel = (label: string): boolean => label !== '' && !label.startsWith('-') && !label.endsWith('-')

export const looksLikePhone = (text: string): boolean => /^(?:[\d+\-()./ \u00a0#*,;]|ext|доб|x)+$/i.test(text) && /\d/.test(text)

export function looksLikeAddress(text: string): boolean {
  if (/[\s<>"]/.test(text)) return false
  const [, scheme] = /^([a-z][a-z0-9+-]*):/i.exec(text) ?? []
  if (scheme === undefined || /^[^/?#]*:\d{1,5}(?:[/?#]|$)/.test(text))
    return /^[^/?#]*\.\p{L}/u.test(text) && URL.canParse(`http://${text}`)
  if (/^(?:https?|ftp)$/i.test(scheme)) return /^[a-z]+:\/\/[^/?#]/i.test(text) && URL.canParse(text)
  return /^mailto:[^@?]+@[^@?]/i.test(text) || /^tel:\+?[\d\-().]*\d/i.test(text)
}
