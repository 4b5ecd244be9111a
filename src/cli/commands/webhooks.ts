import { committed, findRow } from '../../store/ground/relation.ts'
import { findUserByLogin } from '../../store/people/users.ts'
import { deliveries, deliveriesByState, lastDeliveries, replay, sendTest } from '../../store/webhooks/deliveries.ts'
import { createWebhook, deleteWebhook, hookCaller } from '../../store/webhooks/webhooks.ts'
import { webhooks, type Webhook } from '../../store/people/webhook-rows.ts'
import { command, count, idOf, jsonOption, many, show, showPages, text, type Context } from '../contract/command.ts'
import { findTable } from '../contract/find-table.ts'
import { listCommand, PAGE } from '../contract/list-command.ts'
import { UsageError } from '../explain/explain.ts'

const id = { name: 'id', says: 'id as `webhook list` shows it' }

const rowOf = ({ id: webhook, url, tableId, actions, filter, active, userId, madeAt, fault }: Webhook) => ({
  id: webhook,
  url,
  table: tableId === 0 ? 'all' : tableId,
  actions: actions.length === 0 ? 'all' : actions.join(' '),
  filter,
  active: active ? 'yes' : 'no',
  fault,
  user: userId,
  made: madeAt,
})

export const listWebhooks = listCommand('webhook list', 'Lists the webhooks of all users.', webhooks, rowOf)

async function webhookOf({ store, args }: Context, webhook: number): Promise<Webhook> {
  const row = await findRow(committed(store), webhooks, webhook)
  if (!row) throw new UsageError(`There is no webhook ${args['id']}.`)
  return row
}

export const showWebhook = command({
  name: 'webhook show',
  says: 'Shows a webhook and how many deliveries it has in each state. The secret is not shown.',
  args: [id],
  options: [jsonOption],
  begins: false,
  async run(context) {
    const webhook = await webhookOf(context, idOf(context, 'id'))
    const counted = await deliveriesByState(context.store, webhook.id)
    if (context.options['json'] === true) await context.output.line(JSON.stringify({ ...rowOf(webhook), deliveries: counted }))
    else
      await show(
        context,
        Object.entries({ ...rowOf(webhook), ...counted }).map(([attribute, value]) => ({ attribute, value })),
      )
    return 0
  },
})

export const addWebhook = command({
  name: 'webhook add',
  says: 'Creates a webhook, which is sent the changes that a user may read, and prints its secret.',
  args: [{ name: 'url', says: 'address of the receiver' }],
  options: [
    { flags: '--login <login>', says: 'login of the user whose rights it has', required: true },
    { flags: '--table <table>', says: 'table; default: all' },
    { flags: '--action <action>', says: 'only these: create, update, delete, restore, convert, erase; default: all', many: true },
    { flags: '--filter <filter>', says: 'only records that meet the filter before or after a change; with --table', byDefault: '' },
  ],
  begins: false,
  async run(context) {
    const { store, by } = context
    const user = await findUserByLogin(store, text(context, 'login')!)
    if (!user || user.archived) throw new UsageError(`There is no user '${text(context, 'login')}'.`)
    const table = text(context, 'table')
    const wanted = {
      url: context.args['url']!,
      tableId: table === undefined ? 0 : findTable(store, table).id,
      actions: many(context, 'action'),
      filter: text(context, 'filter')!,
    }
    const maker = { ...hookCaller(user.id, user.groupId), scope: 'write', door: 'command' } as const
    const { id: made, secret } = await createWebhook(store, maker, wanted, by)
    await context.output.note(`Webhook ${made} created.`)
    await context.output.line(secret)
    return 0
  },
})

export const removeWebhook = command({
  name: 'webhook remove',
  says: 'Deletes a webhook with its deliveries.',
  args: [id],
  options: [],
  begins: false,
  async run(context) {
    const { id: webhook } = await webhookOf(context, idOf(context, 'id'))
    await deleteWebhook(context.store, context.by, webhook)
    return 0
  },
})

export const testWebhook = command({
  name: 'webhook test',
  says: 'Has a running server send a document that is no change, and prints the id of its delivery.',
  args: [id],
  options: [],
  begins: false,
  async run(context) {
    const { id: webhook } = await webhookOf(context, idOf(context, 'id'))
    await context.output.line(String(await sendTest(context.store, context.by, webhook)))
    return 0
  },
})

export const listDeliveries = command({
  name: 'webhook deliveries',
  says: 'Lists the last deliveries of a webhook.',
  args: [id],
  options: [
    { flags: '--state <state>', says: 'waiting, delivered, parked, withheld or expired; default: all' },
    { flags: '--limit <number>', says: 'how many', byDefault: '50' },
    jsonOption,
  ],
  begins: false,
  async run(context) {
    const { id: webhook } = await webhookOf(context, idOf(context, 'id'))
    await showPages(context, lastOf(context, webhook))
    return 0
  },
})

async function* lastOf(context: Context, webhook: number): AsyncGenerator<Readonly<Record<string, unknown>>[]> {
  for await (const rows of lastDeliveries(context.store, webhook, count(context, 'limit')!, text(context, 'state'), PAGE))
    yield rows.map((row) => ({
      id: row.id,
      change: row.changeId,
      table: row.tableId,
      record: row.recordId,
      state: row.state,
      status: row.status === 0 ? row.fault : row.status,
      attempts: row.attempts?.length ?? 0,
      made: row.madeAt,
      next: row.state === 'waiting' ? row.nextAt : '',
    }))
}

export const replayDelivery = command({
  name: 'webhook replay',
  says: 'Has a running server send a delivery again.',
  args: [{ name: 'id', says: 'id as `webhook deliveries` shows it' }],
  options: [],
  begins: false,
  async run(context) {
    const delivery = idOf(context, 'id')
    if (!(await findRow(committed(context.store), deliveries, delivery))) throw new UsageError(`There is no delivery ${delivery}.`)
    await replay(context.store, context.by, delivery)
    return 0
  },
})
