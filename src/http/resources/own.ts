import type { Identified } from '../../store/ground/relation.ts'
import { access } from './access.ts'
import { audit } from './audit.ts'
import { category } from './category.ts'
import { field } from './field.ts'
import { filter } from './filter.ts'
import { group } from './group.ts'
import { indexOfTable } from './index-of-table.ts'
import { invitation } from './invitation.ts'
import type { Resource } from './resource.ts'
import { table } from './table.ts'
import { token } from './token.ts'
import { trash } from './trash.ts'
import { user } from './user.ts'
import { view } from './view.ts'
import { webhook } from './webhook.ts'
import { webhookDelivery } from './webhook-delivery.ts'

/** The service's own resources, in the order of the entry point; changes of them are shown by their members (change.ts). */
export const own = [
  category,
  table,
  field,
  filter,
  view,
  group,
  access,
  user,
  token,
  invitation,
  trash,
  indexOfTable,
  audit,
  webhook,
  webhookDelivery,
] as const

/** By its type. */
export const ownOf: ReadonlyMap<string, Pick<Resource<Identified>, 'type' | 'members' | 'relation'>> = new Map(
  own.map((one) => [one.type, one as unknown as Resource<Identified>]),
)
