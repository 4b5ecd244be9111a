import type { Identified } from '../store/ground/relation.ts'
import { createInvitation } from './handlers/create-invitation.ts'
import { createResource } from './handlers/create-resource.ts'
import { createToken } from './handlers/create-token.ts'
import { createWebhookRoute } from './handlers/create-webhook.ts'
import { deleteResource } from './handlers/delete-resource.ts'
import { getFileOfChange } from './handlers/get-file-of-change.ts'
import { listChanges } from './handlers/list-changes.ts'
import { getResource } from './handlers/get-resource.ts'
import { getTable } from './handlers/get-table.ts'
import { listResources } from './handlers/list-resources.ts'
import { renewWebhookSecret } from './handlers/renew-webhook-secret.ts'
import { replayDelivery } from './handlers/replay-delivery.ts'
import { testWebhook } from './handlers/test-webhook.ts'
import { redeemInvitation } from './handlers/redeem-invitation.ts'
import { undoBatch } from './handlers/undo-batch.ts'
import { restoreFromTrash } from './handlers/restore-from-trash.ts'
import { updateFieldOfTable } from './handlers/update-field.ts'
import { updateResource } from './handlers/update-resource.ts'
import { access } from './resources/access.ts'
import { audit } from './resources/audit.ts'
import { anyBatch, batch } from './resources/batch.ts'
import { change, wholeChange } from './resources/change.ts'
import { category } from './resources/category.ts'
import { field } from './resources/field.ts'
import { filter } from './resources/filter.ts'
import { group } from './resources/group.ts'
import { indexOfTable } from './resources/index-of-table.ts'
import { invitation } from './resources/invitation.ts'
import { own } from './resources/own.ts'
import type { Resource } from './resources/resource.ts'
import { table } from './resources/table.ts'
import { token } from './resources/token.ts'
import { trash } from './resources/trash.ts'
import { user } from './resources/user.ts'
import { webhook } from './resources/webhook.ts'
import { webhookDelivery } from './resources/webhook-delivery.ts'
import type { Route } from './routing/route.ts'

/** The endpoints of the service's own resources: list, get, create, change and delete where a resource allows them, and some special ones. */
export const resourceRoutes: readonly Route[] = [
  ...listAndGet(category),
  ...writing(category),
  listResources(table),
  getTable,
  ...writing(table),
  ...listAndGet(field),
  ...writing(field),
  updateFieldOfTable,
  ...listAndGet(filter),
  ...writing(filter),
  ...listAndGet(group),
  ...writing(group),
  ...listAndGet(access),
  ...writing(access),
  ...listAndGet(user),
  ...writing(user),
  ...listAndGet(token),
  ...writing(token),
  createToken,
  ...listAndGet(invitation),
  ...writing(invitation),
  createInvitation,
  redeemInvitation,
  ...listAndGet(trash),
  ...writing(trash),
  restoreFromTrash,
  ...listAndGet(indexOfTable),
  ...writing(indexOfTable),
  ...listAndGet(audit),
  listChanges,
  getResource(wholeChange),
  getFileOfChange,
  listResources(batch),
  getResource(anyBatch),
  undoBatch,
  ...listAndGet(webhook),
  ...writing(webhook),
  createWebhookRoute,
  renewWebhookSecret,
  testWebhook,
  ...listAndGet(webhookDelivery),
  replayDelivery,
]

/** What the entry point offers. */
export const resources = [...own.filter((one) => one !== webhook && one !== webhookDelivery), change, batch, webhook, webhookDelivery]

function listAndGet<T extends Identified, X extends object>(resource: Resource<T, X>) {
  return [listResources(resource), getResource(resource)]
}

function writing<T extends Identified, X extends object>(resource: Resource<T, X>) {
  const { create, update, remove } = resource
  return [
    ...(create ? [createResource(resource, create)] : []),
    ...(update ? [updateResource(resource, update)] : []),
    ...(remove ? [deleteResource(resource, remove)] : []),
  ]
}
