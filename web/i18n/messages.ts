import { admin } from './messages/admin.ts'
import { apiPanel } from './messages/api-panel.ts'
import { changes } from './messages/changes.ts'
import { connection } from './messages/connection.ts'
import { door } from './messages/door.ts'
import { fields } from './messages/fields.ts'
import { filter } from './messages/filter.ts'
import { frame } from './messages/frame.ts'
import { imports } from './messages/import.ts'
import { jobs } from './messages/jobs.ts'
import { operation } from './messages/operation.ts'
import { people } from './messages/people.ts'
import { profile } from './messages/profile.ts'
import { rights } from './messages/rights.ts'
import { settings } from './messages/settings.ts'
import { start } from './messages/start.ts'
import { storage } from './messages/storage.ts'
import { record } from './messages/record.ts'
import { search } from './messages/search.ts'
import { views } from './messages/views.ts'
import { table } from './messages/table.ts'

/* Each message in English and in Russian: a file of messages/ for each area of the pages. No name stands in two of them. */

export const messages = {
  ...admin,
  ...apiPanel,
  ...changes,
  ...connection,
  ...door,
  ...fields,
  ...filter,
  ...frame,
  ...imports,
  ...jobs,
  ...operation,
  ...people,
  ...profile,
  ...record,
  ...rights,
  ...search,
  ...settings,
  ...start,
  ...storage,
  ...table,
  ...views,
} as const

export type Message = keyof typeof messages
