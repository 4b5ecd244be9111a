/**
 * The rights that a group may have on a table, in the order of interface 10.2. `column`: of the system table `access`. `writes`: a
 * token with the scope `read` does not give it.
 */
export const rights = {
  create: { column: 'may_create', writes: true },
  read: { column: 'may_read', writes: false },
  update: { column: 'may_update', writes: true },
  delete: { column: 'may_delete', writes: true },
  archive: { column: 'may_archive', writes: true },
  bulk: { column: 'may_bulk', writes: true },
  print: { column: 'may_print', writes: false },
  sms: { column: 'may_sms', writes: false },
  send: { column: 'may_send', writes: false },
  freeSmsTemplate: { column: 'may_free_sms_template', writes: false },
  freeMailTemplate: { column: 'may_free_mail_template', writes: false },
  standardTemplate: { column: 'may_standard_template', writes: false },
} as const satisfies Readonly<Record<string, { readonly column: string; readonly writes: boolean }>>

export type Right = keyof typeof rights

/** In the order of the table. */
export const rightNames = Object.keys(rights) as readonly Right[]

/** By right, the result of `of`. */
export const eachRight = <T>(of: (right: Right) => T): Readonly<Record<Right, T>> =>
  Object.fromEntries(rightNames.map((right) => [right, of(right)])) as Record<Right, T>
