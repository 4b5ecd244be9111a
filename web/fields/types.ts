import type { ReactNode } from 'react'
import { locale } from '../api/preferences.ts'
import { nowHere } from './dates.ts'
import type { Field, TitleOf } from './field.ts'
import type { FieldType } from './field-type.ts'
import { autonumber } from './types/autonumber.tsx'
import { boolean } from './types/boolean.tsx'
import { date } from './types/date.tsx'
import { datetime } from './types/datetime.tsx'
import { decimal } from './types/decimal.tsx'
import { email } from './types/email.tsx'
import { file } from './types/file.tsx'
import { group } from './types/group.tsx'
import { image } from './types/image.tsx'
import { integer } from './types/integer.tsx'
import { list } from './types/list.tsx'
import { longtext } from './types/longtext.tsx'
import { multilist } from './types/multilist.tsx'
import { phone } from './types/phone.tsx'
import { reference } from './types/reference.tsx'
import { references } from './types/references.tsx'
import { text } from './types/text.tsx'
import { url } from './types/url.tsx'
import { user } from './types/user.tsx'
import { users } from './types/users.tsx'

/** All types of fields. */
const types: Readonly<Record<string, FieldType>> = {
  text,
  longtext,
  integer,
  decimal,
  autonumber,
  boolean,
  date,
  datetime,
  list,
  multilist,
  reference,
  references,
  user,
  users,
  group,
  email,
  phone,
  url,
  file,
  image,
}

/** A newer service may know a type that these pages do not: it is shown as text, and not edited. */
const unknown: FieldType = { icon: 'text', show: (value) => value, toText: (value) => value, read: (value) => ({ value }) }

export const typeOf = ({ type }: Pick<Field, 'type'>): FieldType => (Object.hasOwn(types, type) ? types[type]! : unknown)

/** Null where there is nothing to show. `isBrief`: there is little room, as in a list. */
export function showValue(field: Field, value: unknown, titleOf: TitleOf, isBrief = false): ReactNode {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : String(value)
  const type = typeOf(field)
  const shown = text === '' ? null : type.show(text, field, titleOf, isBrief ? type.brief?.(text) : undefined)
  return Array.isArray(shown) && shown.length === 0 ? null : shown
}

/** The same without links. */
export function showStill(field: Field, value: unknown, titleOf: TitleOf, isBrief = false): ReactNode {
  const type = typeOf(field)
  if (!type.hasLinks || typeof value !== 'string' || value === '') return showValue(field, value, titleOf, isBrief)
  if (isBrief && type.brief) return type.brief(value)
  return type.toText(value, field, titleOf, { locale: locale(), now: nowHere() }) || null
}
