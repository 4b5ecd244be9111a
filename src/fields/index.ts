import { autonumber } from './autonumber.ts'
import { boolean } from './boolean.ts'
import { date } from './date.ts'
import { datetime } from './datetime.ts'
import { decimal } from './decimal.ts'
import { email } from './email.ts'
import type { FieldType } from './field-type.ts'
import { file } from './file.ts'
import { group } from './group.ts'
import { image } from './image.ts'
import { integer } from './integer.ts'
import { list } from './list.ts'
import { longtext } from './longtext.ts'
import { multilist } from './multilist.ts'
import { phone } from './phone.ts'
import { reference } from './reference.ts'
import { references } from './references.ts'
import { text } from './text.ts'
import { url } from './url.ts'
import { user } from './user.ts'
import { users } from './users.ts'

/** All field types, in the order in which people see them (DECISIONS T1). */
export const fieldTypes: readonly FieldType[] = [
  text,
  longtext,
  integer,
  decimal,
  datetime,
  date,
  boolean,
  list,
  multilist,
  reference,
  references,
  user,
  users,
  group,
  file,
  image,
  email,
  phone,
  url,
  autonumber,
]

/** The types of system columns of records and of system tables. */
export const builtIn = { text, longtext, integer, boolean, datetime, email, user } as const

/** The text type that can hold every text that values of another type show. */
export const textFor = ({ kind }: Pick<FieldType, 'kind'>): FieldType => (kind === 'set' ? longtext : text)

const byName = new Map(fieldTypes.map((type) => [type.name, type]))

export const fieldType = (name: string): FieldType | undefined => byName.get(name)
