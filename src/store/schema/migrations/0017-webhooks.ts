import type { Dialect } from '../../../sql/dialect.ts'
import { constant, sql } from '../../../sql/sql.ts'
import { alter, change, createTable, type Step } from '../migration-step.ts'

/**
 * Webhooks and what they send (store/webhooks/). `cursor`: the position in the log up to which changes are in `webhook_deliveries`.
 * `instance`: the installation as it was when the webhook was made or activated, so that a restored copy sends nothing by itself.
 * `revision` goes up when the process that delivers has to read the waiting deliveries again. `tries`: attempts since a delivery was made
 * or replayed; `attempts`: all of them, JSON. Times in `…_ms` are Unix milliseconds.
 */
export const webhooks = ({ identity, integer, text, shared }: Dialect): Step[] => [
  createTable(
    'webhooks',
    sql`CREATE TABLE webhooks (id ${identity}, url ${text} NOT NULL, urlk ${text} NOT NULL, table_id ${integer} NOT NULL,
      actions ${text} NOT NULL, actionsk ${text} NOT NULL, filter ${text} NOT NULL, filterk ${text} NOT NULL, active ${integer} NOT NULL,
      user_id ${integer} NOT NULL, made_at ${text} NOT NULL, fault ${text} NOT NULL, faultk ${text} NOT NULL, secret ${text} NOT NULL,
      former_secret ${text} NOT NULL, former_until_ms ${integer} NOT NULL, instance ${text} NOT NULL, cursor ${integer} NOT NULL,
      revision ${integer} NOT NULL)`,
  ),
  createTable(
    'webhook_deliveries',
    sql`CREATE TABLE webhook_deliveries (id ${identity}, webhook_id ${integer} NOT NULL, change_id ${integer} NOT NULL,
      table_id ${integer} NOT NULL, record_id ${integer} NOT NULL, state ${text} NOT NULL, statek ${text} NOT NULL, status ${integer} NOT NULL,
      fault ${text} NOT NULL, faultk ${text} NOT NULL, made_at ${text} NOT NULL, attempted_at ${text} NOT NULL, next_at ${text} NOT NULL,
      next_ms ${integer} NOT NULL, tries ${integer} NOT NULL, attempts ${text} NOT NULL)`,
  ),
  alter(sql`CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, id)`),
  alter(sql`CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, id) WHERE state = ${constant('waiting')}`),
  // Which of several processes delivers, and until when it has said so.
  ...(shared
    ? [
        createTable(
          'webhook_lease',
          sql`CREATE TABLE webhook_lease (id ${integer} NOT NULL PRIMARY KEY, holder ${text} NOT NULL, until_ms ${integer} NOT NULL)`,
        ),
        change(sql`INSERT INTO webhook_lease (id, holder, until_ms) VALUES (1, '', 0)`),
      ]
    : []),
]
