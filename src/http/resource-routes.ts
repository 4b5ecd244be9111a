import type { Identified } from '../store/ground/relation.ts'
import { copyTableRoute } from './handlers/copy-table.ts'
import { createJobRoute } from './handlers/create-job.ts'
import { getJobResult } from './handlers/get-job-result.ts'
import { deleteJob } from './handlers/delete-job.ts'
import { getJobErrors } from './handlers/get-job-errors.ts'
import { previewImport } from './handlers/preview-import.ts'
import { putImportFile } from './handlers/put-import-file.ts'
import { runImport } from './handlers/run-import.ts'
import { updateImport } from './handlers/update-import.ts'
import { beginViewing } from './handlers/begin-viewing.ts'
import { endViewing } from './handlers/end-viewing.ts'
import { createInvitation } from './handlers/create-invitation.ts'
import { createResource } from './handlers/create-resource.ts'
import { createSession } from './handlers/create-session.ts'
import { createToken } from './handlers/create-token.ts'
import { createWebhookRoute } from './handlers/create-webhook.ts'
import { deleteResource } from './handlers/delete-resource.ts'
import { explainAccess } from './handlers/explain-access.ts'
import { deleteSession } from './handlers/delete-session.ts'
import { getFileOfChange } from './handlers/get-file-of-change.ts'
import { listBatches } from './handlers/list-batches.ts'
import { listChanges } from './handlers/list-changes.ts'
import { getResource } from './handlers/get-resource.ts'
import { getTable } from './handlers/get-table.ts'
import { listResources } from './handlers/list-resources.ts'
import { listTokens } from './handlers/list-tokens.ts'
import { renewWebhookSecret } from './handlers/renew-webhook-secret.ts'
import { replayDelivery } from './handlers/replay-delivery.ts'
import { testWebhook } from './handlers/test-webhook.ts'
import { redeemInvitation } from './handlers/redeem-invitation.ts'
import { undoBatch } from './handlers/undo-batch.ts'
import { showMe } from './handlers/show-me.ts'
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
import { job } from './resources/job.ts'
import { own } from './resources/own.ts'
import type { Resource } from './resources/resource.ts'
import { setting } from './resources/setting.ts'
import { table } from './resources/table.ts'
import { token } from './resources/token.ts'
import { trash } from './resources/trash.ts'
import { user } from './resources/user.ts'
import { view } from './resources/view.ts'
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
  copyTableRoute,
  ...listAndGet(field),
  ...writing(field),
  updateFieldOfTable,
  ...listAndGet(filter),
  ...writing(filter),
  ...listAndGet(view),
  ...writing(view),
  ...listAndGet(group),
  ...writing(group),
  explainAccess,
  ...listAndGet(access),
  ...writing(access),
  ...listAndGet(user),
  ...writing(user),
  listTokens,
  getResource(token),
  ...writing(token),
  createToken,
  createSession,
  deleteSession,
  beginViewing,
  endViewing,
  showMe,
  ...listAndGet(setting),
  ...writing(setting),
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
  listBatches,
  getResource(anyBatch),
  undoBatch,
  ...listAndGet(webhook),
  ...writing(webhook),
  createWebhookRoute,
  renewWebhookSecret,
  testWebhook,
  ...listAndGet(webhookDelivery),
  replayDelivery,
  ...listAndGet(job),
  createJobRoute,
  deleteJob,
  getJobResult,
  updateImport,
  putImportFile,
  previewImport,
  runImport,
  getJobErrors,
]

/** What the entry point offers. */
export const resources = [
  ...own.filter((one) => one !== webhook && one !== webhookDelivery),
  change,
  batch,
  setting,
  webhook,
  webhookDelivery,
  job,
]

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
