import type { Message } from '../i18n/messages.ts'

/* The acts of the audit log by areas, in words for people. */

export const areasOfActs = {
  signIns: 'actsSignIns',
  people: 'actsPeople',
  rights: 'actsRights',
  structure: 'actsStructure',
  connections: 'actsConnections',
  operation: 'actsOperation',
} as const satisfies Readonly<Record<string, Message>>

export type AreaOfActs = keyof typeof areasOfActs

// prettier-ignore
export const acts: Readonly<Record<string, readonly [area: AreaOfActs, icon: string, says: Message]>> = {
  signed_in:              ['signIns', 'user', 'actSignedIn'],
  sign_in_failed:         ['signIns', 'warn', 'actSignInFailed'],
  first_password_shown:   ['signIns', 'key', 'actFirstPassword'],
  first_password_renewed: ['signIns', 'key', 'actFirstPassword'],
  token_issued:           ['signIns', 'key', 'actTokenIssued'],
  token_renewed:          ['signIns', 'key', 'actTokenRenewed'],
  token_revoked:          ['signIns', 'key', 'actTokenRevoked'],
  viewing_begun:          ['rights', 'eye', 'actViewingBegun'],
  viewing_ended:          ['rights', 'eye', 'actViewingEnded'],
  user_created:           ['people', 'user', 'actUserCreated'],
  user_changed:           ['people', 'user', 'actUserChanged'],
  user_invited:           ['people', 'mail', 'actUserInvited'],
  invitation_withdrawn:   ['people', 'mail', 'actInvitationWithdrawn'],
  password_set:           ['people', 'key', 'actPasswordSet'],
  group_created:          ['people', 'users', 'actGroupCreated'],
  group_changed:          ['people', 'users', 'actGroupChanged'],
  group_deleted:          ['people', 'users', 'actGroupDeleted'],
  access_created:         ['rights', 'shield', 'actAccessCreated'],
  access_changed:         ['rights', 'shield', 'actAccessChanged'],
  access_deleted:         ['rights', 'shield', 'actAccessDeleted'],
  category_created:       ['structure', 'folder', 'actCategoryCreated'],
  category_changed:       ['structure', 'folder', 'actCategoryChanged'],
  category_deleted:       ['structure', 'folder', 'actCategoryDeleted'],
  table_created:          ['structure', 'grid', 'actTableCreated'],
  table_changed:          ['structure', 'grid', 'actTableChanged'],
  table_deleted:          ['structure', 'trash', 'actTableDeleted'],
  table_restored:         ['structure', 'restore', 'actTableRestored'],
  table_erased:           ['structure', 'trash', 'actTableErased'],
  field_created:          ['structure', 'columns', 'actFieldCreated'],
  field_changed:          ['structure', 'columns', 'actFieldChanged'],
  field_deleted:          ['structure', 'trash', 'actFieldDeleted'],
  field_restored:         ['structure', 'restore', 'actFieldRestored'],
  field_erased:           ['structure', 'trash', 'actFieldErased'],
  record_erased:          ['structure', 'trash', 'actRecordErased'],
  webhook_created:        ['connections', 'webhook', 'actWebhookCreated'],
  webhook_changed:        ['connections', 'webhook', 'actWebhookChanged'],
  webhook_deleted:        ['connections', 'webhook', 'actWebhookDeleted'],
  webhook_secret_made:    ['connections', 'key', 'actWebhookSecret'],
  webhook_tested:         ['connections', 'webhook', 'actWebhookTested'],
  webhook_replayed:       ['connections', 'webhook', 'actWebhookReplayed'],
  index_created:          ['operation', 'bolt', 'actIndexCreated'],
  index_changed:          ['operation', 'bolt', 'actIndexChanged'],
  job_cancelled:          ['operation', 'task', 'actJobCancelled'],
}

/** What stands behind the name of an act that counts the rest of an hour. */
const MORE = '_more'

/** The act itself, and how many more of it an entry counts. */
export const actOf = (action: string, detail: string): readonly [name: string, more: number | undefined] =>
  action.endsWith(MORE) ? [action.slice(0, -MORE.length), Number(detail)] : [action, undefined]

/** The names of the acts of an area, with those that are counted. */
export const actsOf = (area: AreaOfActs): readonly string[] =>
  Object.entries(acts).flatMap(([name, [its]]) => (its === area ? [name, `${name}${MORE}`] : []))

/** The parts of a subject, such as `group 4, table 1`. */
export const partsOf = (subject: string): readonly (readonly [type: string, id: string])[] =>
  subject.split(', ').flatMap((part) => {
    const [, type, id] = /^([a-z]+) (\d+)$/.exec(part) ?? []
    return type === undefined ? [] : [[type, id!] as const]
  })
