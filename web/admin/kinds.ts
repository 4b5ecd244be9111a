import type { Message } from '../i18n/messages.ts'

/* The types of fields for those who choose one, and what can be set in each. */

export type Setting =
  | 'options' | 'reference_table_id' | 'scale' | 'min' | 'max' | 'max_length' | 'file_extensions' | 'max_files' | 'max_kilobytes' // prettier-ignore

interface Kind {
  readonly title: Message
  readonly says: Message
  readonly settings: readonly Setting[]
  readonly mayBeUnique?: true
  /** Words that stand for a default, with what they mean. */
  readonly defaults?: Readonly<Record<string, Message>>
}

const files = ['file_extensions', 'max_files', 'max_kilobytes'] as const
const ends = ['min', 'max'] as const

// prettier-ignore
export const kinds = {
  text:       { title: 'typeText', says: 'saysText', settings: ['max_length'], mayBeUnique: true },
  longtext:   { title: 'typeLongtext', says: 'saysLongtext', settings: ['max_length'] },
  integer:    { title: 'typeInteger', says: 'saysInteger', settings: ends, mayBeUnique: true },
  decimal:    { title: 'typeDecimal', says: 'saysDecimal', settings: ['scale', ...ends], mayBeUnique: true },
  boolean:    { title: 'typeBoolean', says: 'saysBoolean', settings: [] },
  date:       { title: 'typeDate', says: 'saysDate', settings: ends, mayBeUnique: true, defaults: { today: 'fieldToday' } },
  datetime:   { title: 'typeDatetime', says: 'saysDatetime', settings: ends, mayBeUnique: true, defaults: { today: 'fieldToday' } },
  list:       { title: 'typeList', says: 'saysList', settings: ['options'] },
  multilist:  { title: 'typeMultilist', says: 'saysMultilist', settings: ['options'] },
  reference:  { title: 'typeReference', says: 'saysReference', settings: ['reference_table_id'], mayBeUnique: true },
  references: { title: 'typeReferences', says: 'saysReferences', settings: ['reference_table_id'] },
  user:       { title: 'typeUser', says: 'saysUser', settings: [], mayBeUnique: true, defaults: { current_user: 'fieldCurrentUser' } },
  users:      { title: 'typeUsers', says: 'saysUsers', settings: [], defaults: { current_user: 'fieldCurrentUser' } },
  group:      { title: 'typeGroup', says: 'saysGroup', settings: [] },
  email:      { title: 'typeEmail', says: 'saysEmail', settings: ['max_length'], mayBeUnique: true },
  phone:      { title: 'typePhone', says: 'saysPhone', settings: ['max_length'], mayBeUnique: true },
  url:        { title: 'typeUrl', says: 'saysUrl', settings: ['max_length'], mayBeUnique: true },
  file:       { title: 'typeFile', says: 'saysFile', settings: files },
  image:      { title: 'typeImage', says: 'saysImage', settings: files },
  autonumber: { title: 'typeAutonumber', says: 'saysAutonumber', settings: [] },
} as const satisfies Readonly<Record<string, Kind>>

/** A newer service may know a type that these pages do not: its name is shown, and nothing of its own can be set. */
export const kindOf = (type: string): Kind | undefined => (Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : undefined)
